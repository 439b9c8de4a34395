package dev.serval.command;

import dev.serval.settings.EngineChoice;
import dev.serval.settings.ListenAddress;
import dev.serval.settings.ListenerChoice;
import dev.serval.settings.Numbers;
import dev.serval.settings.Problems;
import dev.serval.settings.TlsReader;
import dev.serval.tls.TlsSettings;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// The options of `serval run` for the engine. Stateless.
final class EngineSyntax {
    private static final String PORT = "--port";
    private static final String HOST = "--host";
    private static final String TLS = "--tls";
    private static final String TRANSPORT = "--transport";
    private static final String LOOPS = "--loops";
    private static final String STOP_DELAY = "--stop-delay";
    private static final int LOOPS_MAX = 1024;
    private static final int STOP_DELAY_MAX_MILLIS = 3_600_000;
    private static final List<String> TRANSPORTS = List.of("auto", "nio", "epoll");

    private EngineSyntax() {}

    /// Adds the options to a command.
    static void addTo(CommandSpec run) {
        run.addOption(
                Options.value(
                        PORT,
                        "N",
                        "The port, 0 for any free one. Default: 8080, with --tls 8443."));
        run.addOption(
                Options.values(
                        TLS,
                        "CERT,KEY",
                        "Encrypts all connections with this certificate and key, two PEM files, or"
                                + " with a file of PKCS#12. May be given several times, for several"
                                + " names. serval cert dev makes a pair for development."));
        run.addOption(
                Options.values(
                        HOST,
                        "ADDR",
                        "An address of this machine, 0.0.0.0 for all, or unix:PATH for a Unix-domain"
                                + " socket. May be given several times. Default: 127.0.0.1."));
        run.addOption(
                Options.value(
                        TRANSPORT,
                        "NAME",
                        "How sockets are polled: nio, epoll, or auto for epoll if available."
                                + " Default: auto."));
        run.addOption(
                Options.value(LOOPS, "N", "Number of event loops. Default: one per processor."));
        run.addOption(
                Options.value(
                        STOP_DELAY,
                        "TIME",
                        "How long a stop still serves everything, while /ready of the administration"
                                + " answers 503: such as 15s. None after Ctrl-C. Default: 0."));
        NeighbourMounts.addTo(run);
    }

    /// Returns what the options say, and what `base` says about the rest. Addresses take the place of
    /// all listeners of `base`.
    static EngineChoice read(ParseResult parsed, EngineChoice base, Problems problems) {
        boolean encrypts = parsed.hasMatchedOption(TLS);
        boolean listens =
                encrypts || parsed.hasMatchedOption(HOST) || parsed.hasMatchedOption(PORT);
        @Nullable TlsSettings tls =
                encrypts
                        ? TlsReader.options(parsed.matchedOptionValue(TLS, List.of()), problems)
                        : null;
        List<ListenerChoice> listeners =
                listens
                        ? addresses(parsed, encrypts, problems).stream()
                                .map(address ->
                                        TlsReader.HttpsDefaults.telling(
                                                new ListenerChoice(address, tls),
                                                base.trusted() != null))
                                .toList()
                        : base.listeners();
        String transport = parsed.matchedOptionValue(TRANSPORT, base.transport());
        if (!TRANSPORTS.contains(transport)) {
            problems.usage("--transport takes auto, nio or epoll, not \"" + transport + "\".");
        }
        int loops =
                parsed.hasMatchedOption(LOOPS)
                        ? loops(parsed.matchedOptionValue(LOOPS, ""), problems)
                        : base.loops();
        EngineChoice chosen =
                new EngineChoice(
                        listeners,
                        transport,
                        loops,
                        base.limits(),
                        base.trusted(),
                        base.stopTime(),
                        readiness(parsed, base.readiness(), problems));
        long content = NeighbourMounts.contentMaxBytes(parsed, problems);
        return content < 0 ? chosen : chosen.withContentLimit(content);
    }

    private static EngineChoice.Readiness readiness(
            ParseResult parsed, EngineChoice.Readiness base, Problems problems) {
        if (!parsed.hasMatchedOption(STOP_DELAY)) {
            return base;
        }
        String text = parsed.matchedOptionValue(STOP_DELAY, "");
        @Nullable Duration delay =
                text.equals("0") ? Duration.ZERO : Numbers.time(text, STOP_DELAY_MAX_MILLIS);
        if (delay == null) {
            problems.usage(
                    "--stop-delay takes a time such as 15s or 1m, at most 1h, or 0 for none, not \""
                            + text
                            + "\".");
        }
        return new EngineChoice.Readiness(
                delay == null ? Duration.ZERO : delay, base.readyPath(), base.healthPath());
    }

    private static List<SocketAddress> addresses(
            ParseResult parsed, boolean encrypts, Problems problems) {
        List<String> hosts = parsed.matchedOptionValue(HOST, List.of("127.0.0.1"));
        String portText = parsed.matchedOptionValue(PORT, encrypts ? "8443" : "8080");
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
            } else if (addresses.stream().anyMatch(each -> ListenAddress.overlap(each, address))) {
                problems.usage(
                        "--host " + host + " overlaps with another --host: " + ListenAddress.ALL);
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

    private static int loops(String text, Problems problems) {
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
}
