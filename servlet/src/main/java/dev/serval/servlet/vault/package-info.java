/// Keeps sessions outside memory as bytes: in files, or in a database. Also turns attributes into
/// bytes and back, with rules for the classes that may be read (JEP 290).
///
/// Entry types: [dev.serval.servlet.vault.SessionVault], the seam;
/// [dev.serval.servlet.vault.FileVault];
/// [dev.serval.servlet.vault.AttributeCodec]. Any thread that may block calls them, so no event
/// loop; each session is written by one thread at a time. Depends on the JDK only.
@NullMarked
package dev.serval.servlet.vault;

import org.jspecify.annotations.NullMarked;
