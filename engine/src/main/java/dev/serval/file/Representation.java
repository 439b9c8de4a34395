package dev.serval.file;

import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Holds content with its type and validators, and the heads that are sent with it. Immutable. All
/// loops share it.
final class Representation {
    /// The value of [#lastModified] if the date is unknown.
    static final long NEVER = Long.MIN_VALUE;

    /// The bytes, in memory or in an open file.
    sealed interface Content permits InMemory, OpenFile {
        /// Returns the number of bytes.
        long length();
    }

    /// Holds all bytes in memory. They never change.
    record InMemory(byte[] bytes, Body.Bytes body) implements Content {
        InMemory(byte[] bytes) {
            this(bytes, Body.Bytes.of(bytes));
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
        this.content = content;
        this.type = type;
        this.tag = tag;
        this.lastModified = lastModified;
        this.dateStrong = dateStrong;
        this.noSniff = noSniff;
        this.added = Fields.EMPTY;
        String date = lastModified == NEVER ? "" : HttpDate.format(lastModified);
        this.lastModifiedBytes = date.getBytes(StandardCharsets.US_ASCII);
        this.ok = new ResponseHead(Status.OK, fields(type), content.length());
        // §15.4.5: only the fields by which a cache updates its copy, none that describe the
        // content
        this.notModified =
                new ResponseHead(Status.NOT_MODIFIED, validators(new Fields()), content.length());
    }

    private Representation(Representation of, Status status, String type, Fields added) {
        this.content = of.content;
        this.type = type;
        this.tag = of.tag;
        this.lastModified = of.lastModified;
        this.lastModifiedBytes = of.lastModifiedBytes;
        this.dateStrong = of.dateStrong;
        this.noSniff = of.noSniff;
        this.added = added;
        this.ok = new ResponseHead(status, fields(type), content.length());
        this.notModified =
                new ResponseHead(
                        Status.NOT_MODIFIED,
                        validators(new Fields()).addAll(added),
                        content.length());
    }

    /// Returns this representation with another status instead of 200 and with additional fields. A
    /// Content-Type among them replaces the type.
    Representation with(Status status, Fields fields) {
        @Nullable String given = fields.first(FieldName.CONTENT_TYPE);
        Fields others = new Fields().addAll(added).addAll(fields).remove(FieldName.CONTENT_TYPE);
        return new Representation(this, status, given == null ? type : given, others);
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
