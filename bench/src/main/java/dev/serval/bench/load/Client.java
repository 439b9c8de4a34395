package dev.serval.bench.load;

import dev.serval.bench.peer.Protocol;
import dev.serval.bench.peer.Site;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the load of a cell.
public sealed interface Client permits Wrk, Ab, H2load, Httperf, Handshakes, OwnClient {
    /// The target of a load.
    ///
    /// @param pages the expected answers and their paths: the connections request them in turn
    /// @param request what to send, or null for a GET without more
    record Target(int port, Protocol protocol, List<Site.Page> pages, @Nullable Request request) {
        /// Makes a target with one page, which is asked by HTTP/1.1 in the clear.
        public Target(int port, Site.Page page, @Nullable Request request) {
            this(port, Protocol.HTTP, List.of(page), request);
        }

        /// Makes a target whose page is requested by a GET.
        public Target(int port, Site.Page page) {
            this(port, page, null);
        }

        /// Returns the first page.
        public Site.Page page() {
            return pages.getFirst();
        }

        /// Returns the URL of the first page.
        String url() {
            return protocol.url(port, page().path());
        }

        /// Returns the address of the server.
        InetSocketAddress address() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }

        /// Returns the target with only the page of a connection.
        ///
        /// @param connection from 0
        Target of(int connection) {
            return new Target(
                    port, protocol, List.of(pages.get(connection % pages.size())), request);
        }
    }

    /// The result of a load.
    ///
    /// @param requests answered completely and correctly
    /// @param errors refused connections, wrong answers and timeouts
    /// @param p99Micros 99th percentile of latency in microseconds, or NaN if the client has none
    record Tally(long requests, long contentBytes, long errors, long nanos, double p99Micros) {}

    /// Sends requests to the target for this time.
    Tally run(Target target, Cell.Load load, int seconds) throws IOException;
}
