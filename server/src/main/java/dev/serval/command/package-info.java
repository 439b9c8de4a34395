/// What a command line says: its grammar, the checks of its values, and the commands that need no
/// server of their own.
///
/// Entry type: [dev.serval.command.CommandSyntax], which returns an [dev.serval.command.Invocation].
/// Each command and each group of options has a type `…Syntax`. It adds them to the grammar, and
/// reads them into records of package `settings`, over what a configuration file says. Used by the
/// main thread, and by a reload. The package uses the command line library, and nothing that serves.
@NullMarked
package dev.serval.command;

import org.jspecify.annotations.NullMarked;
