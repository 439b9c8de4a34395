/// Applications behind FastCGI 1.0, above all PHP by php-fpm.
///
/// Entry types: [dev.serval.gateway.fastcgi.FastcgiHandler] and its settings,
/// [dev.serval.gateway.fastcgi.FastcgiTarget]. Everything of one request happens on the loop of its
/// exchange; only [dev.serval.gateway.fastcgi.ScriptLookup] reads the disk, on
/// `ExecutorKind.DISK`. Depends on `cgi`, `peer`, `relay`, `spool` and the
/// engine.
@NullMarked
package dev.serval.gateway.fastcgi;

import org.jspecify.annotations.NullMarked;
