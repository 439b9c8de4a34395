package dev.serval.command;

import dev.serval.config.Node;
import dev.serval.demo.DemoSyntax;
import dev.serval.settings.AppChoice;
import dev.serval.settings.EngineChoice;
import dev.serval.settings.LrwpChoice;
import dev.serval.settings.MountChoice;
import dev.serval.settings.Place;
import dev.serval.settings.Problems;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import java.nio.file.Path;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The grammar of `serval run`. Each group of options has a syntax of its own, which adds the options
/// and reads them. Stateless.
final class RunSyntax {
    static final String NAME = "run";

    private RunSyntax() {}

    /// Returns the command.
    static CommandSpec spec() {
        CommandSpec run = CommandSpec.create();
        ConfigSyntax.addTo(run);
        MountSyntax.addTo(run);
        EngineSyntax.addTo(run);
        AppSyntax.addTo(run);
        LrwpSyntax.addTo(run);
        LogSyntax.addTo(run);
        DemoSyntax.addTo(run);
        run.addOption(Options.help());
        addUsage(run);
        return run;
    }

    private static void addUsage(CommandSpec run) {
        run.usageMessage()
                .description(
                        "Serves folders and Servlet applications over HTTP until it is stopped (Ctrl-C,"
                                + " SIGTERM).")
                .synopsisHeading("Usage: ")
                .parameterListHeading("%n")
                .footer(
                        "",
                        "Examples:",
                        "  serval run .                       this folder at /",
                        "  serval run ./site /docs=./manual   two folders",
                        "  serval run target/shop.war         an application at /",
                        "  serval run shop.war blog.war       at /shop and /blog",
                        "  serval run ./site /api=http://127.0.0.1:9000",
                        "  serval run \"/=fastcgi://unix:/run/php.sock?root=/srv/php\"",
                        "  serval run . --port 0              any free port",
                        "  serval run . --access-log log.txt  a line for each request",
                        "  serval run . --lrwp 1081           applications may dial in",
                        "  serval run --demo                  one that dials in, to look at");
    }

    /// Returns what the arguments after `run` ask for.
    ///
    /// @param running makes the invocation from the checked options
    static Invocation read(
            ParseResult parsed, BiFunction<RunOptions, Rereading, Invocation> running) {
        Problems problems = new Problems();
        // Found once, because another one, or none, would be a different server.
        @Nullable Path file = ConfigSyntax.file(parsed, problems);
        @Nullable RunOptions options =
                problems.none() ? options(parsed, file, null, problems) : null;
        return options != null && problems.none()
                ? running.apply(options, (tree, later) -> options(parsed, file, tree, later))
                : Invocation.Refuse.of(problems);
    }

    /// Returns what the file and the arguments say; null after a problem of the file.
    ///
    /// @param file null for none
    /// @param tree a configuration in place of that of the file; null for the file
    private static @Nullable RunOptions options(
            ParseResult parsed, @Nullable Path file, Node.@Nullable Table tree, Problems problems) {
        @Nullable RunOptions base = ConfigSyntax.read(file, tree, problems);
        if (base == null) {
            return null;
        }
        MountChoice served = MountSyntax.read(parsed, base.served(), problems);
        EngineChoice engine = EngineSyntax.read(parsed, base.engine(), problems);
        AppChoice apps = AppSyntax.read(parsed, base.apps(), problems);
        LrwpChoice lrwp = LrwpSyntax.read(parsed, base.lrwp(), problems);
        boolean demo =
                DemoSyntax.read(parsed, path -> served.isTaken(Place.at(path)), lrwp, problems);
        return new RunOptions(
                served,
                engine,
                apps,
                lrwp,
                demo,
                base.admin(),
                LogSyntax.read(parsed, base.logs(), problems),
                base.acme(),
                base.origin());
    }
}
