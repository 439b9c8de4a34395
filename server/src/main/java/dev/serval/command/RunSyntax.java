package dev.serval.command;

import dev.serval.backend.LrwpChoice;
import dev.serval.backend.LrwpSyntax;
import dev.serval.demo.DemoSyntax;
import java.util.function.Function;
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
        MountSyntax.addTo(run);
        EngineSyntax.addTo(run);
        AppSyntax.addTo(run);
        LrwpSyntax.addTo(run);
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
                        "  serval run . --lrwp 1081           applications may dial in",
                        "  serval run --demo                  one that dials in, to look at");
    }

    /// Returns what the arguments after `run` ask for.
    ///
    /// @param running makes the invocation from the checked options
    static Invocation read(ParseResult parsed, Function<RunOptions, Invocation> running) {
        Problems problems = new Problems();
        MountChoice served = MountSyntax.read(parsed, problems);
        EngineChoice engine = EngineSyntax.read(parsed, problems);
        AppChoice apps = AppSyntax.read(parsed, problems);
        LrwpChoice lrwp = LrwpSyntax.read(parsed, problems);
        boolean demo = DemoSyntax.read(parsed, served::isTaken, lrwp, problems);
        return problems.none()
                ? running.apply(new RunOptions(served, engine, apps, lrwp, demo))
                : problems.refusal();
    }
}
