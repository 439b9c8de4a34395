package dev.serval.servlet.request;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The heads of an application's responses that have status 200 and no field but Content-Type. Most
/// responses of a servlet are such, with one of a few types. So each head and its bytes are made
/// once. Any thread but an event loop.
public final class PlainHeads {
    /// An application that makes up types gets new heads beyond this number.
    private static final int HEADS_MAX = 64;

    private final Map<String, ResponseHead> heads = new ConcurrentHashMap<>();

    /// Creates an empty cache.
    public PlainHeads() {}

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
