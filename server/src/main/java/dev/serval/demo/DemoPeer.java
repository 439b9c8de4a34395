package dev.serval.demo;

import dev.serval.lrwp.peer.LrwpPeer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The program behind `/demo`. The first line of its standard input is its passphrase. It ends with
/// its standard input, so that it does not outlive the server that started it.
public final class DemoPeer {
    /// The line that it prints after all its connections have registered.
    static final String REGISTERED = "registered";

    /// Its connections, and so the requests that it answers at the same time.
    static final int CONNECTIONS = 4;

    private static final Duration REGISTER_AT_MOST = Duration.ofSeconds(30);

    private DemoPeer() {}

    /// Serves `/demo`.
    ///
    /// @param arguments the address and the port at which applications dial in
    /// @throws Exception if the server refuses it; the process then ends with exit code 1
    public static void main(String[] arguments) throws Exception {
        DemoPage page = new DemoPage(ProcessHandle.current().pid(), CONNECTIONS, Clock.systemUTC());
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            @Nullable String passphrase = in.readLine();
            if (arguments.length != 2 || passphrase == null) {
                throw new IOException("This program is started by serval run --demo");
            }
            LrwpPeer.Builder builder =
                    LrwpPeer.builder()
                            .agent(arguments[0], Integer.parseInt(arguments[1]))
                            .passphrase(passphrase);
            for (int i = 0; i < CONNECTIONS; i++) {
                builder.register(Demo.NAME, page.connection(i));
            }
            try (LrwpPeer peer = builder.start()) {
                if (!peer.awaitConnected(REGISTER_AT_MOST)) {
                    throw new IOException(String.valueOf(peer.problem()));
                }
                System.out.println(REGISTERED);
                System.out.flush();
                while (in.readLine() != null) {
                    // The server sends nothing more; the end of the input is its end.
                }
            }
        }
    }
}
