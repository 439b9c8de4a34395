/// Draws the covers of the books.
///
/// Entry type: [dev.serval.examples.shop.cover.Cover]. All methods may be called by any thread. The
/// package uses only the JDK.
@NullMarked
package dev.serval.examples.shop.cover;

import org.jspecify.annotations.NullMarked;
