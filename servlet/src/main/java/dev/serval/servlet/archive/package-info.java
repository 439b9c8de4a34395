/// The files of an application: archives, the folder that they are unpacked into, and look-ups by
/// path (Servlet 6.1 §4.6, §10.5, §10.6).
///
/// Entry types: [dev.serval.servlet.archive.WorkFolder], which unpacks archives once and keeps
/// them; [dev.serval.servlet.archive.AppFiles], which finds files by path; and
/// [dev.serval.servlet.archive.ContextPath]. The thread that deploys an application unpacks it.
/// `AppFiles` is immutable and serves all threads. Depends on `codec` of the engine for
/// spellings of names.
///
/// An archive is not trusted. Every name, size and checksum is checked before or while it is
/// unpacked, and the central directory must agree with the local headers, so that no other reader
/// of the same archive sees other files (APPNOTE.TXT §4.3).
///
/// Unpacked files have the time of their unpacking, not the time in the archive. Reproducible
/// builds give every version the same time, and a client would keep an old version by its
/// `If-Modified-Since`.
@NullMarked
package dev.serval.servlet.archive;

import org.jspecify.annotations.NullMarked;
