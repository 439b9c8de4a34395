package dev.serval.examples.osp;

import dev.serval.examples.osp.call.CallService;
import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.MessageLimits;
import dev.serval.examples.osp.message.MessageReader;
import dev.serval.examples.osp.message.OspMessage;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.lrwp.peer.BodyTooLargeException;
import dev.serval.lrwp.peer.LrwpHandler;
import dev.serval.lrwp.peer.LrwpRequest;
import dev.serval.lrwp.peer.LrwpResponse;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// Answers the requests of the agent: messages by POST, the page by GET. Safe for several threads.
///
/// A message is answered with HTTP status 200 even if its OSP status is an error, because clients
/// repeat after any other status. Only what is no message at all gets an HTTP error.
final class OspHandler implements LrwpHandler {
    private static final String ANSWER_TYPE = "text/plain; charset=utf-8";

    private final MessageReader reader;
    private final CallService service;
    private final CallCounts counts;
    private final StatusPage page;
    private final Signatures signatures;
    private final RandomGenerator random;

    /// The signatures of both sides.
    record Signatures(ClientSignatures clients, AnswerSigner answers) {}

    OspHandler(
            MessageReader reader,
            CallService service,
            CallCounts counts,
            StatusPage page,
            Signatures signatures,
            RandomGenerator random) {
        this.signatures = signatures;
        this.reader = reader;
        this.service = service;
        this.counts = counts;
        this.page = page;
        this.random = random;
    }

    @Override
    public LrwpResponse handle(LrwpRequest request) {
        return switch (request.method()) {
            case "POST" -> message(request);
            case "GET", "HEAD" -> page.answer(request.pathAfterName());
            default ->
                    LrwpResponse.status(405, "Send messages by POST.")
                            .with("Allow", "GET, HEAD, POST");
        };
    }

    private LrwpResponse message(LrwpRequest request) {
        String type = request.contentType();
        boolean signed = SignedBody.isSigned(type);
        if (!signed && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            return LrwpResponse.status(
                    415, "Send the message itself as text/plain, or signed as multipart/signed.");
        }
        byte[] bytes;
        try {
            bytes = request.bytes();
        } catch (BodyTooLargeException e) {
            return tooLarge();
        }
        if (bytes.length > MessageLimits.STANDARD.messageMaxBytes()) {
            return tooLarge();
        }
        SignedBody body = signed ? SignedBody.read(type, bytes) : null;
        if (signed && body == null) {
            return LrwpResponse.status(
                    400, "A signed message has two parts, the message and its signature.");
        }
        OspMessage message = body == null ? unsigned(bytes) : signed(body);
        counts.count(message);
        List<String> components = service.answer(message, request.variable("REMOTE_ADDR", ""));
        if (signed) {
            AnswerSigner.Signed answer =
                    signatures.answers().sign(() -> answer(message, components));
            return unchanged(LrwpResponse.of(200, answer.type(), answer.body()));
        }
        return unchanged(LrwpResponse.of(200, ANSWER_TYPE, answer(message, components)));
    }

    /// Forbids the gateway to compress the answer: clients need its length (RFC 9111 §5.2.2.6).
    private static LrwpResponse unchanged(LrwpResponse answer) {
        return answer.with("Cache-Control", "no-transform");
    }

    private OspMessage unsigned(byte[] bytes) {
        OspMessage message = reader.read(bytes);
        return signatures.clients().isRequired()
                ? message.refused(OspStatus.SECURITY_PROBLEM, "the message must be signed")
                : message;
    }

    private OspMessage signed(SignedBody body) {
        OspMessage message = reader.read(body.message());
        OspStatus checked = signatures.clients().check(body);
        return checked == OspStatus.SUCCESS ? message : message.refused(checked, "");
    }

    private byte[] answer(OspMessage message, List<String> components) {
        return AnswerWriter.message(message.id(), random.nextInt(), components);
    }

    private static LrwpResponse tooLarge() {
        return LrwpResponse.status(
                413,
                "A message may have at most "
                        + MessageLimits.STANDARD.messageMaxBytes()
                        + " bytes.");
    }
}
