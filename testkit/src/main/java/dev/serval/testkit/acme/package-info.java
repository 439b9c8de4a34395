/// Starts an authority for certificates (ACME, RFC 8555) of Debian's package for tests.
///
/// Entry type: [dev.serval.testkit.acme.Pebble]. Owner thread: that of the test.
@NullMarked
package dev.serval.testkit.acme;

import org.jspecify.annotations.NullMarked;
