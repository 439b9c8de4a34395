package dev.serval.bench.scenario;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.report.Gate;
import java.util.List;
import java.util.Map;

/// Sends the same requests to every peer by HTTP/2 or over TLS, or at a constant rate by httperf. The
/// result is the server's CPU time per request, or per handshake if each connection has one request.
///
/// @param file the requested file, or the name of a request of the scenario
/// @param connections at a time; with httperf, new ones in a second
/// @param streams requests at a time on each connection
/// @param requestsPerConnection requests after which a connection is replaced; 0 for no limit
/// @param gate limits of the subject ÷ the cheapest of the scenario's references
/// @param others limits of the subject ÷ each of these peers
public record ProtocolCell(
        String name,
        String title,
        List<String> peers,
        Protocol protocol,
        String file,
        int connections,
        int streams,
        int requestsPerConnection,
        Cell.ClientKind client,
        Gate gate,
        Map<String, Gate> others)
        implements Cell.OfServers {
    /// Rejects a load that its client cannot make.
    public ProtocolCell {
        boolean fits =
                switch (client) {
                    case H2LOAD -> protocol.hasStreams() && requestsPerConnection == 0;
                    case WRK, AB -> protocol == Protocol.HTTPS;
                    case HTTPERF -> protocol == Protocol.HTTP && requestsPerConnection == 1;
                    case FULL, RESUMED -> protocol == Protocol.HTTPS && requestsPerConnection == 1;
                    case OWN -> false;
                };
        BenchFailure.require(
                fits, name + ": client " + client + " cannot make this load by " + protocol.key());
    }

    /// Returns the load.
    public Cell.Load load() {
        return new Cell.Load(
                name,
                title,
                file,
                List.of(),
                connections,
                requestsPerConnection,
                streams,
                client,
                Cell.HeadKind.SHORT,
                List.of(),
                gate,
                List.of());
    }
}
