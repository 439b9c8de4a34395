/// Real applications on the server: their WARs are built by Maven, deployed as a user does it, and
/// used by a browser and an HTTP client.
@NullMarked
package dev.serval.applications;

import org.jspecify.annotations.NullMarked;
