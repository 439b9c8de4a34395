/// Selects the handlers of a request: by host, then by the longest path prefix.
///
/// Entry type: [dev.serval.route.Router]. Owner thread: none; a table is immutable and is replaced
/// as a whole. Source: RFC 9110 §7.2, §4.2.3. Depends on `http`, `handler` and `exchange`.
@NullMarked
package dev.serval.route;

import org.jspecify.annotations.NullMarked;
