/// What LRWP, SCGI and FastCGI share: the variables that describe a request, and the head of an
/// application's output (RFC 3875).
///
/// Entry types: [dev.serval.gateway.cgi.RequestVariables], which writes to a
/// [dev.serval.gateway.cgi.VariableBuffer], and [dev.serval.gateway.cgi.OutputParser]. Pure codecs
/// without I/O and clock; the loop of an exchange owns their objects. Depends on `http` and
/// `handler`.
@NullMarked
package dev.serval.gateway.cgi;

import org.jspecify.annotations.NullMarked;
