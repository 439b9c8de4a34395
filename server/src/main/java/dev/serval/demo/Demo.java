package dev.serval.demo;

import dev.serval.gateway.lrwp.AllowedNames;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.settings.LrwpChoice;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The demo of a server: its right to register `/demo`, and its process. Used by the main thread.
public final class Demo implements AutoCloseable {
    /// The name that it registers.
    public static final String NAME = "demo";

    /// The path that it serves.
    public static final String PATH = "/demo";

    private static final int PASSPHRASE_BYTES = 16;

    private final String passphrase;
    private @Nullable DemoKeeper keeper;

    /// Creates a demo that has not been started.
    ///
    /// @param random for the passphrase, which no one else can guess
    public Demo(RandomGenerator random) {
        byte[] secret = new byte[PASSPHRASE_BYTES];
        random.nextBytes(secret);
        this.passphrase = HexFormat.of().formatHex(secret);
    }

    /// Returns a choice that also lets the demo in: at a TCP address, any free port of this machine
    /// if none was chosen, and with its passphrase.
    public LrwpChoice addTo(LrwpChoice choice) {
        List<SocketAddress> addresses = new ArrayList<>(choice.addresses());
        if (addresses.stream().noneMatch(InetSocketAddress.class::isInstance)) {
            addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }
        @Nullable LrwpSettings chosen = choice.settings();
        LrwpSettings settings =
                chosen == null
                        ? LrwpSettings.DEFAULT.withAllowed(AllowedNames.of(Map.of()))
                        : chosen;
        AllowedNames allowed =
                settings.allowed().with(NAME, passphrase.getBytes(StandardCharsets.US_ASCII));
        return new LrwpChoice(addresses, settings.withAllowed(allowed), choice.tls());
    }

    /// Starts the process, and starts it again whenever it ends.
    ///
    /// @param javaHome the folder of the JDK
    /// @param classPath of the server
    /// @param dialIn the addresses at which the server lets applications dial in
    /// @param out is told of each process that serves
    /// @param err is told of each process that has ended
    public void start(
            Path javaHome,
            String classPath,
            List<SocketAddress> dialIn,
            Consumer<String> out,
            Consumer<String> err) {
        InetSocketAddress agent = reachable(dialIn);
        keeper =
                DemoKeeper.start(
                        () -> DemoProcess.start(javaHome, classPath, agent, passphrase),
                        process ->
                                out.accept(
                                        "The demo has dialled in and serves "
                                                + PATH
                                                + ": process "
                                                + process.pid()
                                                + "."),
                        end ->
                                err.accept(
                                        "serval: The demo has ended ("
                                                + end
                                                + "), so "
                                                + PATH
                                                + " was given back; it is started again now."));
    }

    /// Returns where a process of this machine reaches the first TCP address.
    private static InetSocketAddress reachable(List<SocketAddress> dialIn) {
        for (SocketAddress address : dialIn) {
            if (address instanceof InetSocketAddress inet) {
                return inet.getAddress().isAnyLocalAddress()
                        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), inet.getPort())
                        : inet;
            }
        }
        throw new IllegalStateException("The demo has no address at which it can dial in");
    }

    /// Tells the process to answer the requests in progress and to end. Does not wait.
    public void leave() {
        if (keeper != null) {
            keeper.leave();
        }
    }

    /// Ends the process; kills it if it does not end within 5 s.
    @Override
    public void close() {
        if (keeper != null) {
            keeper.close();
        }
    }
}
