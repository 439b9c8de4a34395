/// The pages of the shop: one servlet for each kind of page, which reads the request, asks `store`, and
/// forwards to a JSP page of the same name.
///
/// Entry types: the servlets, which `web.xml` maps, and [dev.serval.examples.shop.web.Visit], what a
/// session holds. The container's threads call them. The package uses the Servlet API, the shop and
/// `store`, and nothing of a container.
@NullMarked
package dev.serval.examples.shop.web;

import org.jspecify.annotations.NullMarked;
