package dev.serval.file;

import dev.serval.coding.ContentCoding;
import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Holds content with its type and validators, and the heads that are sent with it. Immutable. All
/// loops share it.
final class Representation {
    /// The value of [#lastModified] if the date is unknown.
    static final long NEVER = Long.MIN_VALUE;

    private static final String VARY = "Accept-Encoding";

    /// What few callers choose.
    private record Rest(
            boolean noSniff, @Nullable ContentCoding coding, Status status, Fields added) {}

    /// The bytes, in memory or in an open file.
    sealed interface Content permits InMemory, OpenFile {
        /// Returns the number of bytes.
        long length();
    }

    /// Holds all bytes in memory. They never change. The buffer of `body` is read-only, because many
    /// connections send it at once ([Body.Bytes]).
    record InMemory(byte[] bytes, Body.Bytes body) implements Content {
        InMemory(byte[] bytes) {
            this(bytes, new Body.Bytes(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), null));
        }

        @Override
        public long length() {
            return bytes.length;
        }
    }

    private final Content content;
    private final String type;
    private final EntityTag tag;
    private final long lastModified;
    private final byte[] lastModifiedBytes;
    private final boolean dateStrong;
    private final boolean noSniff;
    private final @Nullable ContentCoding coding;
    private final Fields added;
    private final ResponseHead ok;
    private final ResponseHead notModified;

    /// Creates a representation.
    ///
    /// @param type value of Content-Type
    /// @param lastModified seconds since the epoch, or [#NEVER]
    /// @param dateStrong whether that date is a strong validator (RFC 9110 §8.8.2.2)
    Representation(
            Content content,
            String type,
            EntityTag tag,
            long lastModified,
            boolean dateStrong,
            boolean noSniff) {
        this(
                content,
                type,
                tag,
                lastModified,
                dateStrong,
                new Rest(noSniff, null, Status.OK, Fields.EMPTY));
    }

    private Representation(
            Content content,
            String type,
            EntityTag tag,
            long lastModified,
            boolean dateStrong,
            Rest rest) {
        this.content = content;
        this.type = type;
        this.tag = tag;
        this.lastModified = lastModified;
        this.dateStrong = dateStrong;
        this.noSniff = rest.noSniff;
        this.coding = rest.coding;
        this.added = rest.added;
        String date = lastModified == NEVER ? "" : HttpDate.format(lastModified);
        this.lastModifiedBytes = date.getBytes(StandardCharsets.US_ASCII);
        this.ok = new ResponseHead(rest.status, fields(type), content.length()).asFixed();
        // §15.4.5: only the fields by which a cache updates its copy, none that describe the
        // content
        this.notModified =
                new ResponseHead(
                                Status.NOT_MODIFIED,
                                validators(new Fields()).addAll(added),
                                content.length())
                        .asFixed();
    }

    /// Returns this representation with another status instead of 200 and with additional fields. A
    /// Content-Type among them replaces the type.
    Representation with(Status status, Fields fields) {
        @Nullable String given = fields.first(FieldName.CONTENT_TYPE);
        Fields others = new Fields().addAll(added).addAll(fields).remove(FieldName.CONTENT_TYPE);
        return new Representation(
                content,
                given == null ? type : given,
                tag,
                lastModified,
                dateStrong,
                new Rest(noSniff, coding, status, others));
    }

    /// Returns this representation with `Vary: Accept-Encoding`, because the file also has, or will
    /// have, compressed ones (§12.5.5). Its date is then no strong validator: one date stands for
    /// several representations (§8.8.2.2).
    Representation negotiated() {
        Fields others = new Fields().addAll(added).add(FieldName.VARY, VARY);
        return new Representation(
                content,
                type,
                tag,
                lastModified,
                false,
                new Rest(noSniff, coding, Status.OK, others));
    }

    /// Returns the representation of the same file with its content in a coding.
    Representation coded(
            ContentCoding how, Content compressed, EntityTag itsTag, long itsLastModified) {
        return new Representation(
                compressed,
                type,
                itsTag,
                itsLastModified,
                false,
                new Rest(noSniff, how, Status.OK, added));
    }

    /// Returns whether the content is in a coding.
    boolean isCoded() {
        return coding != null;
    }

    /// Returns the content.
    Content content() {
        return content;
    }

    /// Returns the media type.
    String type() {
        return type;
    }

    /// Returns the entity tag.
    EntityTag tag() {
        return tag;
    }

    /// Returns whether there is a modification date.
    boolean hasLastModified() {
        return lastModified != NEVER;
    }

    /// Returns the modification date in seconds since the epoch, or [#NEVER].
    long lastModified() {
        return lastModified;
    }

    /// Returns the value of Last-Modified as we send it, empty without a date. Must not be changed.
    byte[] lastModifiedBytes() {
        return lastModifiedBytes;
    }

    /// Returns whether the date is a strong validator.
    boolean dateIsStrong() {
        return dateStrong;
    }

    /// Returns the head of a 200, or of the status given to [#with].
    ResponseHead ok() {
        return ok;
    }

    /// Returns the head of a 304.
    ResponseHead notModified() {
        return notModified;
    }

    /// Returns the fields of a 200 or 206 with this type.
    Fields fields(String contentType) {
        Fields fields = new Fields().add(FieldName.CONTENT_TYPE, contentType);
        if (coding != null) {
            fields.add(FieldName.CONTENT_ENCODING, coding.token());
        }
        validators(fields).add(FieldName.ACCEPT_RANGES, "bytes");
        if (noSniff) {
            fields.add(FieldName.X_CONTENT_TYPE_OPTIONS, "nosniff");
        }
        return fields.addAll(added);
    }

    private Fields validators(Fields fields) {
        if (lastModified != NEVER) {
            fields.add(FieldName.LAST_MODIFIED, HttpDate.format(lastModified));
        }
        return fields.add(FieldName.ETAG, tag.toString());
    }
}
