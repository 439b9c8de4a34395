package dev.serval.exchange;

import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// Compares the content of a request with the length that its head announces and with the limit, for
/// protocols that mark the end of content by their frames. The limit is the largest of any mount: that
/// of the request's own mount holds where the content is read. Owned by the loop.
public final class ContentLength {
    static final ProtocolError TOO_LARGE =
            new ProtocolError(
                    Status.CONTENT_TOO_LARGE,
                    "the content is larger than this server accepts",
                    "RFC 9110 §15.5.14");

    private static final ProtocolError WRONG =
            new ProtocolError(
                    Status.BAD_REQUEST,
                    "the content does not have its announced length",
                    "RFC 9110 §8.6");

    private final ServiceLoop service;
    private long announced = RequestHead.UNKNOWN_LENGTH;

    /// Creates a check for a request whose head was not read yet.
    public ContentLength(ServiceLoop service) {
        this.service = service;
    }

    /// Notes the length that the head announces.
    public void begin(RequestHead head) {
        announced = head.contentLength();
    }

    /// Returns what is wrong with the content so far, or null.
    ///
    /// @param received bytes of content
    /// @param ended whether all of it was received
    public @Nullable ProtocolError check(long received, boolean ended) {
        if (received > service.limits().content().mostBytes()) {
            return TOO_LARGE;
        }
        if (announced == RequestHead.UNKNOWN_LENGTH) {
            return null;
        }
        boolean right = ended ? received == announced : received <= announced;
        return right ? null : WRONG;
    }
}
