package dev.serval.gateway.proxy;

import dev.serval.gateway.relay.ContentFraming;
import dev.serval.gateway.relay.ContentPump;
import dev.serval.http1.BodyDecoder;
import dev.serval.http1.ResponseParser;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What the requests of one proxy mount share on one loop. Owned by the loop.
final class ProxyLoop {
    private static final int SPARE_MAX = 256;
    private static final int DECODED_BYTES = 32 << 10;
    private static final Limits.Contents CONTENT =
            Limits.Contents.DEFAULT.with(draft -> {
                draft.maxBytes = Long.MAX_VALUE;
                draft.chunkExtensionsMaxBytes = Integer.MAX_VALUE;
            });

    final ForwardHead forwardHead;
    final ContentFraming chunked;
    final ByteBuffer pumpBuffer = ContentPump.newBuffer();
    private final ByteBuffer decoded = ByteBuffer.allocate(DECODED_BYTES);
    final ResponseParser parser = new ResponseParser(Limits.Heads.DEFAULT);
    private final ArrayDeque<AnswerContent> spare = new ArrayDeque<>();

    ProxyLoop(ProxyTarget target) {
        this.forwardHead = new ForwardHead(target);
        this.chunked = new ChunkedFraming(forwardHead);
    }

    /// Lends what reads one answer.
    AnswerContent lend() {
        @Nullable AnswerContent known = spare.pollLast();
        return known != null ? known : new AnswerContent(BodyDecoder.ofAnswers(CONTENT), decoded);
    }

    void giveBack(AnswerContent read) {
        if (spare.size() < SPARE_MAX) {
            spare.addLast(read);
        }
    }
}
