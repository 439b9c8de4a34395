/// What tests of every module share: a raw HTTP client that may send anything, one that speaks
/// HTTP/1.1 or a toy protocol alike, scripted peers, folders of known content, bounded waiting. Needs
/// the JDK alone and never sees the server's classes, so that a mistake in them cannot hide itself.
///
/// Entry types: [dev.serval.testkit.RawClient] and [dev.serval.testkit.TempTree]. Owner thread: each
/// object belongs to the thread of its test unless it says otherwise. What a peer does wrong is an
/// [AssertionError] that shows what was received. Source: RFC 9112 for reading responses.
@NullMarked
package dev.serval.testkit;

import org.jspecify.annotations.NullMarked;
