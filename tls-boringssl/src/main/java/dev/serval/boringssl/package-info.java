/// TLS 1.3 and 1.2 by BoringSSL (RFC 8446, RFC 5246), in place of the JDK's engine. The only package
/// that sees netty-tcnative, the binding to the native library. It uses no other part of Netty.
///
/// Entry type: [dev.serval.boringssl.BoringTls]. Owner thread: an engine belongs to the loop of its
/// connection, or to the thread that does work of its handshake; everything else is for any thread.
/// Depends on `dev.serval.tls` only.
@NullMarked
package dev.serval.boringssl;

import org.jspecify.annotations.NullMarked;
