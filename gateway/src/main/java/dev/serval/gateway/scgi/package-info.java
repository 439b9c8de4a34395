/// Applications behind SCGI: one request on a connection, answered with CGI output until the
/// connection closes.
///
/// Entry type: [dev.serval.gateway.scgi.ScgiHandler]. Everything of one request happens on the loop
/// of its exchange. Specification: SCGI, revision of 2008-06-23. Depends on `cgi`, `peer`, `relay`,
/// `spool` and the engine.
@NullMarked
package dev.serval.gateway.scgi;

import org.jspecify.annotations.NullMarked;
