/// The page that shows the files of a folder. No I/O: [dev.serval.listing.FolderList] takes names,
/// sizes and dates, and returns the bytes of the page. Used by one thread. Depends on `http` and
/// `policy`.
@NullMarked
package dev.serval.listing;

import org.jspecify.annotations.NullMarked;
