package dev.serval.command;

import dev.serval.backend.LrwpChoice;
import dev.serval.backend.LrwpSyntax;
import dev.serval.backend.NeighbourMount;
import dev.serval.backend.NeighbourMounts;
import dev.serval.demo.DemoSyntax;
import dev.serval.file.FileOptions;
import dev.serval.servlet.database.DatabaseSettings;
import java.net.SocketAddress;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Parses command lines: arguments in, [Invocation] out. Stateless.
///
/// The grammar is built by calls, and values are plain texts. Annotations would be read by
/// reflection at every start, and this project's own checks give better messages than "could not
/// convert".
public final class CommandSyntax {
    private static final String PORT = "--port";
    private static final String HOST = "--host";
    private static final String TRANSPORT = "--transport";
    private static final String LOOPS = "--loops";
    private static final String DEV = "--dev";
    private static final String PRECOMPILE = "--precompile";
    private static final String APP_LOGS = "--app-logs";
    private static final String DATA_SOURCE = "--data-source";
    private static final String SESSIONS = "--sessions";
    private static final String SESSION_TIMEOUT = "--session-timeout";
    private static final String SESSION_SAVE = "--session-save";
    private static final String SESSION_SYNC = "--session-sync";
    private static final String SESSION_ALLOW = "--session-allow";
    private static final String ENCODING = "--encoding";
    private static final String TIME_LIMIT = "--request-time-limit";
    private static final String USERS = "--users";
    static final String HELP = "--help";
    private static final String VERSION = "--version";
    private static final int LOOPS_MAX = 1024;
    private static final List<String> SCRIPT_COMMANDS =
            List.of("verify", "bench", "soak", "stress");
    private static final List<String> TRANSPORTS = List.of("auto", "nio", "epoll");

    private CommandSyntax() {}

    /// Returns the invocation that the arguments describe.
    ///
    /// @param running makes the invocation of `serval run` from its checked options
    public static Invocation read(String[] arguments, Function<RunOptions, Invocation> running) {
        if (arguments.length > 0 && ofTheScript(arguments[0])) {
            return refuse(
                    "\"serval "
                            + arguments[0]
                            + "\" belongs to the script ./serval of the source tree: run it there.");
        }
        // The other commands cost time, which a start of the server need not spend.
        boolean runs = arguments.length > 0 && arguments[0].equals("run");
        CommandLine syntax = new CommandLine(serval(runs));
        ParseResult parsed;
        try {
            parsed = syntax.parseArgs(arguments);
        } catch (ParameterException e) {
            return refuse(explained(e));
        }
        if (parsed.hasMatchedOption(VERSION)) {
            return new Invocation.Show("serval " + Version.TEXT + "\n");
        }
        if (parsed.hasMatchedOption(HELP)) {
            return new Invocation.Show(syntax.getUsageMessage(Ansi.OFF));
        }
        if (!parsed.hasSubcommand()) {
            return refuse("There is no command: try serval run FOLDER, or serval --help.");
        }
        for (ParseResult one = parsed.subcommand(); one != null; one = one.subcommand()) {
            if (one.hasMatchedOption(HELP)) {
                return new Invocation.Show(
                        one.commandSpec().commandLine().getUsageMessage(Ansi.OFF));
            }
        }
        ParseResult command = parsed.subcommand();
        return switch (command.commandSpec().name()) {
            case ControlCommand.DEPLOY -> ControlSyntax.deploy(command);
            case ControlCommand.UNDEPLOY -> ControlSyntax.undeploy(command);
            case ControlCommand.STATUS -> ControlSyntax.status(command);
            case UserSyntax.NAME -> UserSyntax.read(command);
            default -> run(command, running);
        };
    }

    private static Invocation run(ParseResult parsed, Function<RunOptions, Invocation> running) {
        Problems problems = new Problems();
        List<String> arguments = parsed.matchedPositionalValue(0, List.of());
        List<Mount> mounts = mounts(arguments, problems);
        List<NeighbourMount> neighbours =
                NeighbourMounts.read(
                        arguments,
                        text -> Mount.prefix(text, problems),
                        prefix -> isTaken(mounts, List.of(), prefix),
                        problems);
        List<SocketAddress> addresses = addresses(parsed, problems);
        String transport = parsed.matchedOptionValue(TRANSPORT, "auto");
        if (!TRANSPORTS.contains(transport)) {
            problems.usage("--transport takes auto, nio or epoll, not \"" + transport + "\".");
        }
        int loops = loops(parsed.matchedOptionValue(LOOPS, null), problems);
        @Nullable Path logs = AppOptions.logs(parsed.matchedOptionValue(APP_LOGS, null), problems);
        Duration limit =
                AppOptions.timeLimit(parsed.matchedOptionValue(TIME_LIMIT, null), problems);
        @Nullable String users = parsed.matchedOptionValue(USERS, null);
        @Nullable Path usersFile = users == null ? null : UserSyntax.file(users, problems);
        List<DatabaseSettings> sources =
                AppOptions.sources(
                        parsed.matchedOptionValue(DATA_SOURCE, List.of()),
                        System.getenv(),
                        problems);
        SessionChoice sessions = sessions(parsed, problems);
        @Nullable Charset encoding =
                AppOptions.encoding(parsed.matchedOptionValue(ENCODING, null), problems);
        LrwpChoice lrwp = LrwpSyntax.read(parsed, problems);
        boolean demo =
                DemoSyntax.read(parsed, path -> isTaken(mounts, neighbours, path), lrwp, problems);
        FileOptions files = Mount.files(parsed, problems);
        long contentMaxBytes = NeighbourMounts.contentMaxBytes(parsed, problems);
        return problems.none()
                ? running.apply(
                        new RunOptions(
                                mounts,
                                neighbours,
                                addresses,
                                files,
                                contentMaxBytes,
                                transport,
                                loops,
                                parsed.hasMatchedOption(DEV),
                                parsed.hasMatchedOption(PRECOMPILE),
                                logs,
                                limit,
                                usersFile,
                                sources,
                                sessions,
                                encoding,
                                lrwp,
                                demo))
                : problems.refusal();
    }

    private static SessionChoice sessions(ParseResult parsed, Problems problems) {
        return new SessionChoice(
                SessionChoice.place(parsed.matchedOptionValue(SESSIONS, null), problems),
                AppOptions.sessionTimeout(
                        parsed.matchedOptionValue(SESSION_TIMEOUT, null), problems),
                SessionChoice.onStop(parsed.matchedOptionValue(SESSION_SAVE, null), problems),
                parsed.hasMatchedOption(SESSION_SYNC),
                SessionChoice.allowed(parsed.matchedOptionValue(SESSION_ALLOW, null), problems));
    }

    private static List<Mount> mounts(List<String> arguments, Problems problems) {
        List<Mount> mounts = new ArrayList<>();
        for (String argument : arguments) {
            if (NeighbourMount.isNeighbour(argument)) {
                continue;
            }
            @Nullable Mount mount = Mount.read(argument, arguments.size() == 1, problems);
            if (mount == null) {
                continue;
            }
            for (Mount other : mounts) {
                if (other.prefix().equals(mount.prefix())) {
                    problems.usage(twice(other, mount));
                }
            }
            mounts.add(mount);
        }
        return mounts;
    }

    private static boolean isTaken(
            List<Mount> mounts, List<NeighbourMount> neighbours, String prefix) {
        return mounts.stream().anyMatch(mount -> mount.prefix().equals(prefix))
                || neighbours.stream().anyMatch(mount -> mount.prefix().equals(prefix));
    }

    private static String twice(Mount first, Mount second) {
        String name = String.valueOf(second.path().getFileName()).replace(' ', '-');
        boolean root = first.prefix().equals("/");
        return first.path()
                + " and "
                + second.path()
                + " would both be served at "
                + first.prefix()
                + ": give one of them another prefix, such as "
                + (root ? "/" : first.prefix() + "/")
                + (name.isEmpty() || name.equals("null") ? "other" : name)
                + "="
                + second.path()
                + ".";
    }

    private static List<SocketAddress> addresses(ParseResult parsed, Problems problems) {
        List<String> hosts = parsed.matchedOptionValue(HOST, List.of("127.0.0.1"));
        String portText = parsed.matchedOptionValue(PORT, "8080");
        int port = ListenAddress.port(portText, problems);
        List<SocketAddress> addresses = new ArrayList<>();
        boolean ports = false;
        for (String host : hosts) {
            ports |= !ListenAddress.unix(host);
            @Nullable SocketAddress address = ListenAddress.read(host, Math.max(port, 0), problems);
            if (address == null) {
                continue;
            }
            if (addresses.contains(address)) {
                problems.usage("--host " + host + " is given twice: once is enough.");
            }
            addresses.add(address);
        }
        if (!ports && parsed.hasMatchedOption(PORT)) {
            problems.usage(
                    "--port does not apply to a Unix-domain socket: leave it out, or add a --host"
                            + " with an IP address.");
        }
        return addresses;
    }

    private static int loops(@Nullable String text, Problems problems) {
        if (text == null) {
            return 0;
        }
        int loops = Numbers.read(text, LOOPS_MAX);
        if (loops < 1) {
            problems.usage(
                    "--loops takes a number from 1 to "
                            + LOOPS_MAX
                            + ", not \""
                            + text
                            + "\": leave it out for one per processor.");
        }
        return loops;
    }

    private static boolean ofTheScript(String command) {
        return SCRIPT_COMMANDS.contains(command);
    }

    private static Invocation refuse(String usage) {
        return new Invocation.Refuse(List.of(usage), Invocation.USAGE);
    }

    private static String explained(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().getFirst();
            boolean option = argument.startsWith("-");
            List<String> near = unmatched.getSuggestions();
            return (option ? "There is no option " : "There is no command ")
                    + argument
                    + (near.isEmpty() ? "" : "; did you mean " + near.getFirst() + "?")
                    + (near.isEmpty() ? ": " : " ")
                    + "serval --help and serval run --help list the options.";
        }
        String command = e.getCommandLine().getCommandSpec().qualifiedName(" ");
        return e.getMessage() + ": see " + command + " --help.";
    }

    private static CommandSpec serval(boolean runs) {
        CommandSpec serval = CommandSpec.create().name("serval");
        serval.addOption(flag(HELP, "Show this help and exit.", "-h"));
        serval.addOption(flag(VERSION, "Show the version and exit."));
        serval.addSubcommand("run", run());
        if (!runs) {
            serval.addSubcommand(ControlCommand.DEPLOY, ControlSyntax.deploy());
            serval.addSubcommand(ControlCommand.UNDEPLOY, ControlSyntax.undeploy());
            serval.addSubcommand(ControlCommand.STATUS, ControlSyntax.status());
            serval.addSubcommand(
                    UserSyntax.NAME,
                    UserSyntax.spec(() -> flag(HELP, "Show this help and exit.", "-h")));
        }
        serval.usageMessage()
                .header("Serval, a web server.")
                .synopsisHeading("%nUsage: ")
                .optionListHeading("%n")
                .commandListHeading("%nCommands:%n")
                .footer(
                        "",
                        "In the source tree the script ./serval also has:",
                        "  verify [--strict]  Build, and run every check and test.",
                        "  bench NAME         Run a benchmark; bench --list shows the names.",
                        "  soak [NAME]        Load a server for long, and check every answer.",
                        "  stress             Run the concurrency tests.");
        return serval;
    }

    private static CommandSpec run() {
        CommandSpec run = CommandSpec.create();
        run.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("[/PREFIX=]PATH")
                        .index("0..*")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(
                                "A folder of files, or a Servlet application: a WAR, or a folder"
                                        + " that has WEB-INF. Or a neighbour: http://HOST:PORT,"
                                        + " fastcgi://HOST:PORT or scgi://HOST:PORT, also with"
                                        + " unix:FILE. Folders are served at /. One"
                                        + " application alone is served at /, others at their"
                                        + " names (shop.war at /shop). Default: a welcome page.")
                        .build());
        run.addOption(value(PORT, "N", "The port, 0 for any free one. Default: 8080."));
        run.addOption(
                OptionSpec.builder(HOST)
                        .paramLabel("ADDR")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .description(
                                "An address of this machine, 0.0.0.0 for all, or unix:PATH for a"
                                        + " Unix-domain socket. May be given several times."
                                        + " Default: 127.0.0.1.")
                        .build());
        run.addOption(
                value(
                        TRANSPORT,
                        "NAME",
                        "How sockets are polled: nio, epoll, or auto for epoll if available."
                                + " Default: auto."));
        run.addOption(value(LOOPS, "N", "Number of event loops. Default: one per processor."));
        addApplicationOptions(run);
        LrwpSyntax.addTo(run);
        DemoSyntax.addTo(run);
        NeighbourMounts.addTo(run);
        Mount.addTo(run);
        run.addOption(flag(HELP, "Show this help and exit.", "-h"));
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

    private static void addApplicationOptions(CommandSpec run) {
        run.addOption(
                flag(
                        DEV,
                        "Show clients why an application failed, with its code's lines, and show"
                                + " the logs of applications here too. Only for development."));
        run.addOption(
                flag(
                        PRECOMPILE,
                        "Compile the JSP pages of applications at the start, and refuse an"
                                + " application with a wrong page."));
        run.addOption(
                value(
                        APP_LOGS,
                        "FOLDER",
                        "Where each application has its log, such as shop.log; none to print here."
                                + " Default: serval/logs in $XDG_STATE_HOME or ~/.local/state."));
        run.addOption(
                value(
                        TIME_LIMIT,
                        "TIME",
                        "End requests of applications that take longer: 30s, 500ms, 2m. Default:"
                                + " no limit."));
        run.addOption(
                value(
                        ENCODING,
                        "CHARSET",
                        "The encoding of requests, responses and JSP pages of applications that"
                                + " declare none; none for ISO-8859-1 as in the specification."
                                + " Default: UTF-8."));
        run.addOption(
                value(
                        USERS,
                        "FILE",
                        "The users who may log in to applications: serval user add writes the"
                                + " file. Default: none, so protected pages are refused."));
        run.addOption(
                OptionSpec.builder(DATA_SOURCE)
                        .paramLabel("NAME=URL")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .description(
                                "A database for applications, such as"
                                        + " jdbc/shop=jdbc:postgresql://db/shop. User and password"
                                        + " are in SERVAL_JDBC_SHOP_USER and"
                                        + " SERVAL_JDBC_SHOP_PASSWORD. May be given several"
                                        + " times.")
                        .build());
        addSessionOptions(run);
    }

    private static void addSessionOptions(CommandSpec run) {
        run.addOption(
                value(
                        SESSIONS,
                        "STORE",
                        "Where sessions are kept: memory, files, files=FOLDER, or a jdbc: URL of H2"
                                + " or PostgreSQL. files and jdbc survive a restart. Default:"
                                + " memory."));
        run.addOption(
                value(
                        SESSION_TIMEOUT,
                        "TIME",
                        "End sessions without a request for this time, such as 45m or 2h; 0 for"
                                + " never. Default: as the application declares, or 30m."));
        run.addOption(
                value(
                        SESSION_SAVE,
                        "WHEN",
                        "Write session files at the end of each request, or at a stop: request or"
                                + " stop. Default: request."));
        run.addOption(
                flag(SESSION_SYNC, "Wait until the disk has a session file before answering."));
        run.addOption(
                value(
                        SESSION_ALLOW,
                        "CLASSES",
                        "More classes that stored sessions may hold: com.acme.Cart, com.acme.**;"
                                + " separated by commas."));
    }

    static OptionSpec value(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .arity("1")
                .description(description)
                .build();
    }

    static OptionSpec flag(String name, String description, String... others) {
        String[] names = new String[others.length + 1];
        System.arraycopy(others, 0, names, 0, others.length);
        names[others.length] = name;
        return OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .usageHelp(name.equals(HELP))
                .versionHelp(name.equals(VERSION))
                .description(description)
                .build();
    }
}
