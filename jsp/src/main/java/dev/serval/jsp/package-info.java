/// JSP pages of applications: Pages 4.0 and Expression Language 6.0, by Jasper of Apache Tomcat.
/// This is the only code of Serval that sees Jasper.
///
/// Entry type: [dev.serval.jsp.JspPages], which the embedder gives to
/// `ServletContainer.Builder.pages`. Pages run, and are compiled, on the threads of requests; the
/// thread that deploys an application reads its tag libraries. Depends on
/// `dev.serval.servlet.pages`, the Jakarta APIs and Jasper. No class of Jasper is loaded before the
/// first request for a page (docs/internals/jsp.md).
@NullMarked
package dev.serval.jsp;

import org.jspecify.annotations.NullMarked;
