package dev.serval.conn;

import dev.serval.codec.TargetCharacters;
import dev.serval.exchange.ServiceLoop;
import dev.serval.hpack.HeaderBlock;
import dev.serval.hpack.HpackScratch;
import dev.serval.http.HttpDate;
import dev.serval.policy.Http2Limits;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.util.ArrayDeque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Holds what the HTTP/2 connections of one listener share on one loop: the memory of the codecs, the
/// date, and streams that have ended and may serve others. Owned by the loop.
final class Http2Loop {
    private static final int SPARE_STREAMS_MAX = 256;

    private final ServiceLoop service;
    private final TargetCharacters characters;
    private final HpackScratch scratch = new HpackScratch();
    private final HeaderBlock block = new HeaderBlock();
    private final ArrayDeque<Http2Stream> spares = new ArrayDeque<>();
    private final byte[] date = new byte[HttpDate.LENGTH];
    private long dateSecond = Long.MIN_VALUE;

    Http2Loop(ServiceLoop service, Set<Leniency> leniency) {
        this.service = service;
        this.characters =
                new TargetCharacters(
                        leniency.contains(Leniency.BROWSER_CHARACTERS_IN_PATH),
                        leniency.contains(Leniency.BROWSER_CHARACTERS_IN_QUERY),
                        leniency.contains(Leniency.BARE_PERCENT_IN_QUERY));
    }

    ServiceLoop service() {
        return service;
    }

    Limits limits() {
        return service.limits();
    }

    Http2Limits http2() {
        return service.limits().http2();
    }

    /// Returns the protocols for which a handler opens tunnels now.
    Set<String> connectProtocols() {
        return service.settings().handler().connectProtocols();
    }

    TargetCharacters characters() {
        return characters;
    }

    HpackScratch scratch() {
        return scratch;
    }

    HeaderBlock block() {
        return block;
    }

    /// Returns the present date. The next call overwrites the array.
    byte[] date() {
        long second = service.exchanges().loop().epochSeconds();
        if (second != dateSecond) {
            dateSecond = second;
            HttpDate.write(second, date, 0);
        }
        return date;
    }

    /// Returns a stream that carries nothing.
    Http2Stream stream() {
        @Nullable Http2Stream spare = spares.pollLast();
        return spare == null ? new Http2Stream(this) : spare;
    }

    /// Takes a stream that has ended, for another request.
    void takeBack(Http2Stream ended) {
        if (spares.size() < SPARE_STREAMS_MAX) {
            spares.addLast(ended);
        }
    }
}
