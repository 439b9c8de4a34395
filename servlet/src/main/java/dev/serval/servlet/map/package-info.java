/// Which servlet and which filters a path reaches (Servlet 6.1 §12).
///
/// Entry types: [dev.serval.servlet.map.ServletPaths], [dev.serval.servlet.map.FilterTable] and
/// [dev.serval.servlet.map.NormalPath]. All are immutable, so any thread may use them. Depends on
/// `descriptor`.
@NullMarked
package dev.serval.servlet.map;

import org.jspecify.annotations.NullMarked;
