/// What a running server serves: its web applications and its own pages, the changes that its user
/// makes meanwhile, and what it tells about itself.
///
/// Entry type: [dev.serval.site.LiveSite]. Threads: the main thread creates and closes everything.
/// Threads of the control socket call [dev.serval.site.SiteCommands]; they and
/// [dev.serval.site.DevWatch] change a site. The loops call [dev.serval.site.WelcomePage] and
/// [dev.serval.site.AppDirectory]. [dev.serval.site.Reloads] brings a site from one
/// configuration to another. The package takes what is to be served as records of `settings`.
@NullMarked
package dev.serval.site;

import org.jspecify.annotations.NullMarked;
