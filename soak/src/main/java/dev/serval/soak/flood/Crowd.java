package dev.serval.soak.flood;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Many clients that want nothing good, all at the same time: idle connections, half heads, and
/// pipelined requests and large answers that nobody reads. A connection that the server ends is
/// opened again at once. Each part has its own thread.
public final class Crowd implements AutoCloseable {
    private static final int PERCENT = 100;

    /// The parts, each with the number of its connections. [Flood#PIPELINES] has 100 requests on
    /// each connection.
    private static final List<Part> PARTS =
            List.of(
                    new Part(Flood.IDLE, 5000),
                    new Part(Flood.HALF_HEADS, 2000),
                    new Part(Flood.PIPELINES, 100),
                    new Part(Flood.UNREAD_LARGE, 100));

    private final List<FloodLoad> loads = new ArrayList<>();

    private record Part(Flood flood, int connections) {}

    private Crowd() {}

    /// Opens the connections, and returns before all are open.
    ///
    /// @param target serves the files of [FloodSoak#files]
    /// @param percent the part of each number of connections, from 1 to 100
    public static Crowd open(SocketAddress target, int percent) throws IOException {
        Crowd crowd = new Crowd();
        try {
            for (Part part : PARTS) {
                int connections = Math.max(1, part.connections * percent / PERCENT);
                crowd.loads.add(FloodLoad.start(part.flood, target, connections));
            }
        } catch (IOException e) {
            crowd.close();
            throw e;
        }
        return crowd;
    }

    /// Returns how many connections there are at a time.
    public static int connections() {
        return PARTS.stream().mapToInt(Part::connections).sum();
    }

    /// Returns the number of connections made so far.
    public long connects() {
        return loads.stream().mapToLong(load -> load.counts()[0]).sum();
    }

    @Override
    public void close() throws IOException {
        for (FloodLoad load : loads) {
            load.close();
        }
    }
}
