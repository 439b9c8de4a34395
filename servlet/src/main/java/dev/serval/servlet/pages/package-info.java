/// The seam between the container and an engine for Jakarta Server Pages, which is another module.
///
/// Entry types: [dev.serval.servlet.pages.PageEngine], which the embedder gives to the container,
/// and [dev.serval.servlet.pages.AppPages], the pages of one application. The thread that deploys
/// an application opens, starts and closes its pages; requests call their servlets on any thread.
/// Source: Pages 4.0 §3.3, §7.3; Servlet 6.1 §4.4, §12.2. Depends on no other package.
@NullMarked
package dev.serval.servlet.pages;

import org.jspecify.annotations.NullMarked;
