/// Adapter between Arquillian and one Serval server, which lets the official Servlet test suite run
/// against Serval. The suite deploys one archive for each test class and removes it afterwards.
///
/// Entry types: [dev.serval.conformance.tck.ServalExtension], which Arquillian finds by its service
/// file, and [dev.serval.conformance.tck.TckServer], which is the server under test. Owner thread:
/// the thread that runs the tests. May depend on Arquillian's container SPI, ShrinkWrap's API and
/// the JDK. Source: docs/conformance.md.
@NullMarked
package dev.serval.conformance.tck;

import org.jspecify.annotations.NullMarked;
