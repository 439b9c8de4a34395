/// Applications that answer with CGI output, whatever protocol carries it: one request from its
/// variables to the response that its output becomes.
///
/// Entry types: [dev.serval.gateway.output.OutputMount], which a handler of FastCGI or SCGI creates,
/// and [dev.serval.gateway.output.OutputWire], by which it says how its protocol is written and read.
/// The loop of the exchange owns a request and its answer. Depends on `cgi`, `peer`, `relay` and
/// `spool`.
@NullMarked
package dev.serval.gateway.output;

import org.jspecify.annotations.NullMarked;
