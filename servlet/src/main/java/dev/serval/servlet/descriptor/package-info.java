/// What an application declares: the immutable [dev.serval.servlet.descriptor.AppDescription], and
/// its sources: web.xml, fragments, annotations and registration by code (Servlet 6.1 §8, §14).
///
/// Entry types: [dev.serval.servlet.descriptor.AppDraft], which `dev.serval.servlet.assembly` fills
/// from the application's files and registration by code completes, and `AppDescription`, its
/// result. No thread owns the description; the thread that deploys the application owns the draft.
/// Depends on no other package.
@NullMarked
package dev.serval.servlet.descriptor;

import org.jspecify.annotations.NullMarked;
