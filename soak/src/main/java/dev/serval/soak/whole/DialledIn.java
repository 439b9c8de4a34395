package dev.serval.soak.whole;

import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.LrwpRefusedException;
import dev.serval.lrwp.peer.LrwpRequest;
import dev.serval.lrwp.peer.LrwpResponse;
import dev.serval.soak.war.Pattern;
import java.io.IOException;
import java.time.Duration;

/// The application that dials in to the server of the soak. `/dial/page/N` answers with content that
/// follows from the number, `/dial/sum` with the receipt of what was sent. Stateless.
final class DialledIn {
    private static final int CONNECTIONS = 16;
    private static final String TYPE = "application/octet-stream";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private DialledIn() {}

    /// Dials in, and waits until all connections are registered.
    static LrwpPeer start(int port) throws IOException, InterruptedException {
        LrwpPeer peer =
                LrwpPeer.builder()
                        .agent("127.0.0.1", port)
                        .register(SoakSite.DIAL_NAME)
                        .connections(CONNECTIONS)
                        .handler(DialledIn::answer)
                        .start();
        try {
            if (peer.awaitConnected(PATIENCE)) {
                return peer;
            }
        } catch (LrwpRefusedException e) {
            peer.close();
            throw new IOException("the server refused the application", e);
        }
        String problem = String.valueOf(peer.problem());
        peer.close();
        throw new IOException("the application could not dial in: " + problem);
    }

    private static LrwpResponse answer(LrwpRequest request) throws IOException {
        String path = request.pathAfterName();
        if (path.equals("/sum")) {
            byte[] content = request.body().readAllBytes();
            return LrwpResponse.of(200, TYPE, Pattern.receipt(Pattern.sum(content)));
        }
        long seed = Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
        return LrwpResponse.of(200, TYPE, Pattern.page(seed));
    }
}
