/// Reads web.xml and web-fragment.xml: what one descriptor declares (Servlet 6.1 §14).
///
/// Entry types: [dev.serval.servlet.webxml.WebXml], which turns a descriptor into
/// [dev.serval.servlet.webxml.Declarations], and [dev.serval.servlet.webxml.DescriptorCheck], which
/// checks it by the schema of its version. Package `assembly` reads annotations into the same
/// declarations and merges all of them. All is owned by the thread that deploys. Depends on
/// `descriptor` for the values that it reads.
@NullMarked
package dev.serval.servlet.webxml;

import org.jspecify.annotations.NullMarked;
