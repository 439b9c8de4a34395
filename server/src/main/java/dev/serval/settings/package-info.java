/// What a server is to do, as records, whether a command line or a file says it.
///
/// [dev.serval.settings.RunOptions] has everything. [dev.serval.settings.SettingsFile] reads it from a
/// configuration file; the command line overrides that. [dev.serval.settings.Problems] collects what
/// is wrong. Immutable; the main thread reads, any thread uses. Depends on `config` and `backend`.
@NullMarked
package dev.serval.settings;

import org.jspecify.annotations.NullMarked;
