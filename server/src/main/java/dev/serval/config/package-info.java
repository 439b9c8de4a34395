/// What a configuration may say, and how it is read.
///
/// [dev.serval.config.Keys] is the one table of keys: names, types, defaults and what each does.
/// [dev.serval.config.TomlFile] reads a file into a tree of [dev.serval.config.Node]s that know
/// their line and column. [dev.serval.config.SchemaReader] checks the tree against the table, and
/// gives the [dev.serval.config.Values]. [dev.serval.config.Mistakes] collects everything that is
/// wrong. Reference page, help and the printed configuration come from the same table. Immutable
/// results; any thread. Depends on no other package of Serval.
@NullMarked
package dev.serval.config;

import org.jspecify.annotations.NullMarked;
