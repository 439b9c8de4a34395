/// What a running server serves: its web applications and its own pages, the changes that its user
/// makes meanwhile, and what it tells about itself.
///
/// Entry type: [dev.serval.site.LiveSite]. Threads: the main thread creates and closes everything.
/// Threads of the control socket call [dev.serval.site.SiteCommands]; they and
/// [dev.serval.site.DevWatch] change a site. The loops call [dev.serval.site.WelcomePage] and
/// [dev.serval.site.AppDirectory]. The package reads the options of `serval run` as records of
/// `command`.
@NullMarked
package dev.serval.site;

import org.jspecify.annotations.NullMarked;
