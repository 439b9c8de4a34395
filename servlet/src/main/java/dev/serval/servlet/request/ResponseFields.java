package dev.serval.servlet.request;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The fields of a response as an application sets and sees them. The container keeps two of them
/// elsewhere: Content-Type in the [ResponseType], and Content-Length as a number. Transfer-Encoding
/// is the engine's, which frames the content. Owned as the exchange.
final class ResponseFields {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String CONTENT_LENGTH = "Content-Length";
    private static final String TRANSFER_ENCODING = "Transfer-Encoding";

    private final ResponseType type;
    private Fields fields = Fields.EMPTY; // until the application sets one
    private long contentLength = ResponseHead.UNKNOWN_LENGTH;

    ResponseFields(ResponseType type) {
        this.type = type;
    }

    /// Returns the fields without those that are kept elsewhere. The caller must not change them.
    Fields all() {
        return fields;
    }

    /// Returns fields that may be changed.
    Fields own() {
        Fields present = fields;
        if (present.size() == 0) {
            present = new Fields();
            fields = present;
        }
        return present;
    }

    /// Sets other fields in place of these, but keeps type and length.
    void replace(Fields others) {
        fields = others;
    }

    /// Removes all fields and the length, but not the type.
    void clear() {
        fields = Fields.EMPTY;
        contentLength = ResponseHead.UNKNOWN_LENGTH;
    }

    void remove(FieldName name) {
        if (fields.size() > 0) {
            fields.remove(name);
        }
    }

    /// Returns the promised length; -1 if there is none.
    long contentLength() {
        return contentLength;
    }

    /// Sets the promised length.
    ///
    /// @param length negative for none
    void contentLength(long length) {
        contentLength = length < 0 ? ResponseHead.UNKNOWN_LENGTH : length;
    }

    /// Sets a field.
    ///
    /// @param value null to remove it
    void set(String name, @Nullable String value) {
        if (value == null) {
            remove(name);
        } else if (!setElsewhere(name, value)) {
            own().set(name, FieldViews.sent(name, value));
        }
    }

    /// Adds a field. One that is kept elsewhere is replaced.
    void add(String name, String value) {
        if (!setElsewhere(name, value)) {
            own().add(name, FieldViews.sent(name, value));
        }
    }

    private void remove(String name) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            type.set(null);
        } else if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            contentLength = ResponseHead.UNKNOWN_LENGTH;
        } else {
            own().remove(name);
        }
    }

    /// Sets a field that is kept elsewhere.
    ///
    /// @return whether the field is one of these
    private boolean setElsewhere(String name, String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            type.set(value);
            return true;
        }
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            try {
                contentLength(Long.parseLong(value.strip()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "Content-Length is a number of bytes, not \"" + value + "\"", e);
            }
            return true;
        }
        return name.equalsIgnoreCase(TRANSFER_ENCODING);
    }

    /// Returns the first value of a field; null if there is none.
    @Nullable String first(String name) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            return type.value();
        }
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            return contentLength < 0 ? null : String.valueOf(contentLength);
        }
        return fields.first(name);
    }

    /// Returns all values of a field, in a list that the caller may change.
    Collection<String> values(String name) {
        if (name.equalsIgnoreCase(CONTENT_TYPE) || name.equalsIgnoreCase(CONTENT_LENGTH)) {
            @Nullable String value = first(name);
            return value == null ? new ArrayList<>() : new ArrayList<>(List.of(value));
        }
        return new ArrayList<>(fields.all(name));
    }

    /// Returns the name of each field once, in a list that the caller may change.
    Collection<String> names() {
        Map<String, String> names = new LinkedHashMap<>(); // by lower case
        if (type.value() != null) {
            names.put("content-type", CONTENT_TYPE);
        }
        if (contentLength >= 0) {
            names.put("content-length", CONTENT_LENGTH);
        }
        FieldViews.addNames(fields, names);
        return new ArrayList<>(names.values());
    }
}
