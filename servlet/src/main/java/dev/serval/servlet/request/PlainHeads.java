package dev.serval.servlet.request;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Makes the heads of an application's responses. Most have status 200, no field but Content-Type, and
/// one of a few types. So each of these heads and its bytes are made once. Others often have the same
/// fields each time, such as `Cache-Control` of a login. A few of them are kept, so that their bytes
/// are not made again. Any thread but an event loop.
public final class PlainHeads {
    /// An application that makes up types gets new heads beyond this number.
    private static final int HEADS_MAX = 64;

    /// Heads with other fields, found by their size. A head replaces another one at its place.
    private static final int SIMILAR_MAX = 16;

    private static final int SIMILAR_MAX_BYTES = 1024;

    private final Map<String, ResponseHead> heads = new ConcurrentHashMap<>();
    private final @Nullable Similar[] similar = new @Nullable Similar[SIMILAR_MAX];

    /// A head that may be wanted again. Immutable, so threads may find it or not.
    private record Similar(ResponseHead head, @Nullable String media) {
        boolean isFor(int status, Fields fields, @Nullable String type) {
            return head.status().code() == status
                    && head.fields().size() == fields.size() + (type == null ? 0 : 1)
                    && Objects.equals(media, type)
                    && head.fields().beginWith(fields);
        }
    }

    /// Creates an empty cache.
    public PlainHeads() {}

    /// Returns `status` if an application may set it.
    ///
    /// @throws IllegalArgumentException if not
    static int checked(int status) {
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("A status is 100 to 599, not " + status);
        }
        return status;
    }

    /// Returns the head of a response.
    ///
    /// @param fields all but Content-Type and Content-Length
    /// @param media the Content-Type; null for none
    /// @param length of the content; -1 if it is not known
    /// @throws IllegalStateException if the status is interim
    ResponseHead head(int status, Fields fields, @Nullable String media, long length) {
        if (media != null && status == Status.OK.code() && fields.size() == 0) {
            return sized(of(FieldViews.latin1(media)), length);
        }
        int place = (fields.textBytes() + fields.size()) % SIMILAR_MAX;
        @Nullable Similar known = similar[place];
        if (known != null && known.isFor(status, fields, media)) {
            return sized(known.head(), length);
        }
        ResponseHead made = made(status, fields, media);
        if (fields.textBytes() <= SIMILAR_MAX_BYTES && !fields.contains(FieldName.SET_COOKIE)) {
            similar[place] = new Similar(made, media);
        }
        return sized(made, length);
    }

    private static ResponseHead sized(ResponseHead head, long length) {
        return length == ResponseHead.UNKNOWN_LENGTH ? head : head.withContentLength(length);
    }

    private static ResponseHead made(int status, Fields fields, @Nullable String media) {
        Fields sent = new Fields().addAll(fields);
        if (media != null) {
            sent.set(FieldName.CONTENT_TYPE, FieldViews.latin1(media));
        }
        Status end = Status.of(status);
        if (end.interim()) {
            // The client would take the next response for the end of this one (RFC 9110 §15.2).
            throw new IllegalStateException(
                    "A response cannot end with the interim status "
                            + status
                            + ": set a status from 200 to 599");
        }
        return new ResponseHead(end, sent, ResponseHead.UNKNOWN_LENGTH);
    }

    /// Returns the head for a media type, without a length.
    ResponseHead of(String media) {
        @Nullable ResponseHead known = heads.get(media);
        if (known != null) {
            return known;
        }
        Fields fields = Fields.of(FieldName.CONTENT_TYPE, media);
        ResponseHead made = new ResponseHead(Status.OK, fields, ResponseHead.UNKNOWN_LENGTH);
        if (heads.size() < HEADS_MAX) {
            heads.putIfAbsent(media, made);
        }
        return made;
    }
}
