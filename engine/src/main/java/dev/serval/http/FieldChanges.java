package dev.serval.http;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Changes of the fields of responses: a setting of a mount or a listener. Immutable but for a
/// small memory of results; any thread.
public final class FieldChanges {
    /// What happens to a field.
    public enum Kind {
        /// The field is added to those of its name.
        ADD,
        /// The field takes the place of those of its name, if there are any.
        SET,
        /// The field is added if there is none of its name.
        ADD_IF_ABSENT,
        /// All fields of the name are removed.
        REMOVE
    }

    /// A change of one field.
    ///
    /// @param kind what happens
    /// @param name the field's name
    /// @param value the value; empty if the field is removed
    /// @param always whether responses with a status of 400 or above are changed, too
    public record Change(Kind kind, String name, String value, boolean always) {
        /// Checks the field.
        public Change {
            Fields _ = new Fields().add(name, value);
            if (OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "The field "
                                + name
                                + " belongs to the connection (RFC 9110 §7.6.1), so a mount cannot"
                                + " change it");
            }
        }

        /// Returns a field that is added to successful responses and redirects.
        public static Change add(String name, String value) {
            return new Change(Kind.ADD, name, value, false);
        }

        /// Returns a field that takes the place of those of its name, with the same responses.
        public static Change set(String name, String value) {
            return new Change(Kind.SET, name, value, false);
        }

        /// Returns a field that is added to the same responses if they have none of its name.
        public static Change addIfAbsent(String name, String value) {
            return new Change(Kind.ADD_IF_ABSENT, name, value, false);
        }

        /// Returns the removal of a field from the same responses.
        public static Change remove(String name) {
            return new Change(Kind.REMOVE, name, "", false);
        }

        /// Returns this change for all responses, those with errors included.
        public Change toAll() {
            return new Change(kind, name, value, true);
        }
    }

    /// No changes.
    public static final FieldChanges NONE = new FieldChanges(List.of());

    /// The fields that the connection writes, or that a wrong value of would break its framing.
    private static final List<String> OF_CONNECTION =
            List.of(
                    "connection",
                    "content-length",
                    "date",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private static final int ERRORS_FROM = 400;
    private static final int KEPT = 64; // a power of two
    private static final String SEVERAL_RANGES = "multipart/byteranges";

    /// A head and what the changes made of it.
    private record Kept(ResponseHead before, ResponseHead after) {}

    private final List<Change> changes;

    /// The last results. Files are sent with the same heads again and again. A place may be
    /// overwritten by any thread at any time: each entry is right by itself.
    private final @Nullable Kept[] kept = new Kept[KEPT];

    /// Creates changes that are made in this order.
    public FieldChanges(List<Change> changes) {
        this.changes = List.copyOf(changes);
    }

    /// Returns the changes.
    public List<Change> changes() {
        return changes;
    }

    /// Returns the head with these changes.
    public ResponseHead applied(ResponseHead head) {
        if (changes.isEmpty()) {
            return head;
        }
        int place = System.identityHashCode(head) & (KEPT - 1);
        @Nullable Kept known = kept[place];
        if (known != null && known.before == head) {
            return known.after;
        }
        ResponseHead after = changed(head);
        kept[place] = new Kept(head, after);
        return after;
    }

    private ResponseHead changed(ResponseHead head) {
        boolean error = head.status().code() >= ERRORS_FROM;
        boolean severalRanges = hasSeveralRanges(head);
        Fields fields = new Fields().addAll(head.fields());
        for (Change change : changes) {
            // The type of several ranges names the boundary of the parts (RFC 9110 §15.3.7.2).
            boolean boundary =
                    severalRanges && FieldName.CONTENT_TYPE.equals(FieldName.of(change.name()));
            if (boundary || (error && !change.always())) {
                continue;
            }
            switch (change.kind()) {
                case ADD -> fields.add(change.name(), change.value());
                case SET -> fields.set(change.name(), change.value());
                case ADD_IF_ABSENT -> {
                    if (fields.first(change.name()) == null) {
                        fields.add(change.name(), change.value());
                    }
                }
                case REMOVE -> fields.remove(change.name());
            }
        }
        return new ResponseHead(head.status(), fields, head.contentLength());
    }

    /// Returns whether the head is that of several ranges.
    public static boolean hasSeveralRanges(ResponseHead head) {
        @Nullable String type = head.fields().first(FieldName.CONTENT_TYPE);
        return head.status().equals(Status.PARTIAL_CONTENT)
                && type != null
                && type.startsWith(SEVERAL_RANGES);
    }

    /// Compares the changes.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldChanges same && changes.equals(same.changes);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(changes);
    }

    @Override
    public String toString() {
        return changes.toString();
    }
}
