/// Logins at a mount of any kind: files, applications and other servers.
///
/// Entry type: [dev.serval.access.BasicAccess]. Owner thread: any. Source: RFC 7617. Depends on
/// `handler` and `exchange` of the engine, and on the users and checks of passwords of the servlet
/// container.
@NullMarked
package dev.serval.access;

import org.jspecify.annotations.NullMarked;
