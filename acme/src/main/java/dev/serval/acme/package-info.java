/// Certificates that an authority issues while the server runs (ACME, RFC 8555), by acme4j.
///
/// Entry types: [dev.serval.acme.AutomaticCertificates] and [dev.serval.acme.AcmeSettings]. A folder
/// has all state, so several servers may use the same one. Owner thread: `serval-acme` makes every
/// call to the authority and writes the folder; other threads read. Depends on `tls`, `handler` and
/// `http` of the engine.
@NullMarked
package dev.serval.acme;

import org.jspecify.annotations.NullMarked;
