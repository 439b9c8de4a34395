/// Helpers for the tests of every module:
///
/// - a raw HTTP client that can send any bytes;
/// - a client for HTTP/1.1 or a toy protocol;
/// - scripted peers;
/// - folders of known content;
/// - waits with a time limit.
///
/// It needs only the JDK and never uses the server's classes, so that a fault in them cannot hide
/// itself.
///
/// Entry types: [dev.serval.testkit.RawClient] and [dev.serval.testkit.TempTree]. Owner thread:
/// each object belongs to the thread of its test unless its doc says otherwise. A fault of a peer
/// is an [AssertionError] that shows the received bytes. Source: RFC 9112 for reading responses.
@NullMarked
package dev.serval.testkit;

import org.jspecify.annotations.NullMarked;
