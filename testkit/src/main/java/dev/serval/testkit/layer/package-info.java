/// What lies between a client of tests and its socket. [Http2Layer] lets a test that writes requests of
/// HTTP/1.1 and reads responses of HTTP/1.1 speak HTTP/2 with its server. The package uses the JDK only.
/// Each object is owned by the thread of its test. RFC 9113, RFC 7541.
@NullMarked
package dev.serval.testkit.layer;

import org.jspecify.annotations.NullMarked;
