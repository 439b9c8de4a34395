/// Automatic certificates of a site: what a file says about them, checked.
///
/// Entry type: [dev.serval.automatic.AcmeReader]. The certificates themselves are those of the module
/// [dev.serval.acme].
@NullMarked
package dev.serval.automatic;

import org.jspecify.annotations.NullMarked;
