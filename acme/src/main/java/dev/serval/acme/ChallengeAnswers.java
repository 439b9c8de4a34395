package dev.serval.acme;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Answers the authority's checks by HTTP (RFC 8555 §8.3), and passes all other requests on. It compares
/// bytes, because it sees every request. Immutable.
final class ChallengeAnswers implements Handler {
    private static final byte[] PREFIX =
            "/.well-known/acme-challenge/".getBytes(StandardCharsets.US_ASCII);
    private static final int TOKEN_MAX = 128;
    private static final Fields FIELDS =
            Fields.of(FieldName.CONTENT_TYPE, "application/octet-stream")
                    .addAll(Fields.of(FieldName.CACHE_CONTROL, "no-store"));

    private final CertificateFolder folder;
    private final Handler next;

    ChallengeAnswers(CertificateFolder folder, Handler next) {
        this.folder = folder;
        this.next = next;
    }

    @Override
    public boolean takesOtherMethods() {
        return next.takesOtherMethods();
    }

    @Override
    public boolean takesTrace() {
        return next.takesTrace();
    }

    @Override
    public Set<String> connectProtocols() {
        return next.connectProtocols();
    }

    @Override
    public void handle(Exchange x) {
        Method method = x.request().method();
        Target target = x.request().target();
        int from = target.originFrom();
        int to = target.originTo();
        int length = to - from - PREFIX.length;
        boolean asks =
                (method == Method.GET || method == Method.HEAD)
                        && length > 0
                        && length <= TOKEN_MAX
                        && Arrays.equals(
                                target.buffer(),
                                from,
                                from + PREFIX.length,
                                PREFIX,
                                0,
                                PREFIX.length);
        if (!asks) {
            next.handle(x);
            return;
        }
        String token =
                new String(
                        target.buffer(), from + PREFIX.length, length, StandardCharsets.ISO_8859_1);
        x.run(ExecutorKind.DISK, () -> answer(token));
    }

    private Handler answer(String token) throws Exception {
        @Nullable String text = folder.answer(token);
        if (text == null) {
            return next; // another program may prove the name
        }
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return x ->
                x.response()
                        .send(
                                new ResponseHead(Status.OK, FIELDS, bytes.length),
                                Body.Bytes.of(bytes));
    }
}
