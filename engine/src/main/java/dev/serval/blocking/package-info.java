/// For code that may block: the pool behind `Place.BLOCKING`.
///
/// Entry type: [dev.serval.blocking.BlockingPool]. Owner thread: its own. Depends on `http`.
@NullMarked
package dev.serval.blocking;

import org.jspecify.annotations.NullMarked;
