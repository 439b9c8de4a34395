/// What a command line says: its grammar, the checks of its values, and the commands that need no
/// server of their own.
///
/// Entry type: [dev.serval.command.CommandSyntax], which returns an [dev.serval.command.Invocation].
/// The options of `serval run` are the records [dev.serval.command.RunOptions] and
/// [dev.serval.command.Mount], which the rest of the program reads. All problems of a command line
/// are collected in [dev.serval.command.Problems], and printed at once. Used by the main thread. The
/// package uses the command line library, and nothing that serves.
@NullMarked
package dev.serval.command;

import org.jspecify.annotations.NullMarked;
