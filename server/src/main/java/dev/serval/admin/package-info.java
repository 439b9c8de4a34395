/// Administration of a running server by HTTP: the configuration as JSON, and the commands.
///
/// [dev.serval.admin.AdminSite] makes the application that an administration listener serves. Each
/// resource of the configuration can be read, replaced, patched and deleted while the server runs,
/// with the checks of the file. [dev.serval.admin.AdminGuard] refuses requests that do not come from
/// the administrator. Application code of the engine's own API, so it runs on Workers. Depends on
/// `config`, `settings` and `site`.
@NullMarked
package dev.serval.admin;

import org.jspecify.annotations.NullMarked;
