package dev.serval.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The fields of a message (RFC 9110 §5), in order: a table of places in one array of bytes.
/// Strings are made when somebody asks. Values are ISO-8859-1, since that loses no byte.
///
/// Two ways to fill it: [#add] for ours, which refuses what could end a line; a [FieldsWriter] for
/// codecs, which have checked the bytes already. Fields that were received never change under their
/// reader's hand, and those of a [ResponseHead] do not change any more. Owned by whoever made it.
public final class Fields {
    /// Who may change fields.
    private enum Access {
        OPEN(""),
        EMPTY("Fields.EMPTY stays empty: use new Fields()"),
        RECEIVED(
                "Received fields cannot be changed: copy them with new Fields().addAll(fields), and"
                        + " change the copy"),
        FROZEN(
                "The fields of a ResponseHead cannot be changed: set them before you make the head,"
                        + " or make another head from new Fields().addAll(fields)");

        private final String refusal;

        Access(String refusal) {
            this.refusal = refusal;
        }
    }

    /// No fields; cannot be changed.
    public static final Fields EMPTY = new Fields(0, Access.EMPTY);

    private static final int SLOT = 5;
    private static final int ID = 0;
    private static final int NAME_AT = 1;
    private static final int NAME_END = 2;
    private static final int VALUE_AT = 3;
    private static final int VALUE_END = 4;
    private static final byte[] NO_BYTES = {};

    private Access access;
    private byte[] bytes;
    private int used;
    private int[] slots;
    private int count;

    /// Empty, with room for a few.
    public Fields() {
        this(8, Access.OPEN);
    }

    private Fields(int room, Access access) {
        this.access = access;
        this.slots = new int[room * SLOT];
        this.bytes = NO_BYTES;
    }

    /// Fields that only their [FieldsWriter] changes.
    static Fields received() {
        return new Fields(8, Access.RECEIVED);
    }

    /// One field.
    public static Fields of(FieldName name, String value) {
        return new Fields().add(name, value);
    }

    /// How many fields there are, repeated names counted each.
    public int size() {
        return count;
    }

    /// Appends a field.
    ///
    /// @throws IllegalArgumentException for a value with a control character or a letter outside
    ///     ISO-8859-1 (RFC 9110 §5.5)
    /// @throws IllegalStateException if the fields were received or belong to a [ResponseHead]
    public Fields add(FieldName name, String value) {
        checkValue(name.text(), value);
        int nameAt = reserve(name.length() + value.length());
        int valueAt = name.copyTo(bytes, nameAt);
        append(name.id(), nameAt, valueAt, value);
        return this;
    }

    /// Appends a field whose name may be unknown.
    ///
    /// @throws IllegalArgumentException for a name that is not a token (RFC 9110 §5.6.2), or as the
    ///     other `add`
    public Fields add(String name, String value) {
        @Nullable FieldName known = FieldName.of(name);
        if (known != null) {
            return add(known, value);
        }
        checkName(name);
        checkValue(name, value);
        int nameAt = reserve(name.length() + value.length());
        copy(name, nameAt);
        append(-1, nameAt, nameAt + name.length(), value);
        return this;
    }

    /// Appends all of `others`.
    public Fields addAll(Fields others) {
        for (int i = 0; i < others.count; i++) {
            add(others.name(i), others.value(i));
        }
        return this;
    }

    /// Replaces every field of that name by one.
    public Fields set(FieldName name, String value) {
        remove(name);
        return add(name, value);
    }

    /// Removes every field of that name.
    public Fields remove(FieldName name) {
        checkOpen();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (slots[i * SLOT + ID] != name.id()) {
                System.arraycopy(slots, i * SLOT, slots, kept * SLOT, SLOT);
                kept++;
            }
        }
        count = kept;
        return this;
    }

    /// The name of field `i`, as it was written.
    public String name(int i) {
        return text(slots[i * SLOT + NAME_AT], slots[i * SLOT + NAME_END]);
    }

    /// The value of field `i`, without white space around it.
    public String value(int i) {
        return text(slots[i * SLOT + VALUE_AT], slots[i * SLOT + VALUE_END]);
    }

    /// The known name of field `i`, or null.
    public @Nullable FieldName known(int i) {
        int id = slots[i * SLOT + ID];
        return id < 0 ? null : FieldName.byId(id);
    }

    /// The index of the first field of that name at or behind `from`, or -1.
    public int indexOf(FieldName name, int from) {
        int id = name.id();
        for (int i = from, at = from * SLOT; i < count; i++, at += SLOT) {
            if (slots[at + ID] == id) {
                return i;
            }
        }
        return -1;
    }

    /// Whether a field of that name is there.
    public boolean contains(FieldName name) {
        return indexOf(name, 0) >= 0;
    }

    /// The first value of that name, or null.
    public @Nullable String first(FieldName name) {
        int i = indexOf(name, 0);
        return i < 0 ? null : value(i);
    }

    /// The first value of that name, letters in any case, or null.
    public @Nullable String first(String name) {
        @Nullable FieldName known = FieldName.of(name);
        if (known != null) {
            return first(known);
        }
        for (int i = 0; i < count; i++) {
            if (slots[i * SLOT + ID] < 0 && name.equalsIgnoreCase(name(i))) {
                return value(i);
            }
        }
        return null;
    }

    /// Every value of that name, in order.
    public List<String> all(FieldName name) {
        List<String> values = new ArrayList<>();
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(value(i));
        }
        return values;
    }

    /// Every value of that name joined by ", ", which means the same for list-valued fields (§5.3),
    /// or null.
    public @Nullable String combined(FieldName name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : String.join(", ", values);
    }

    // For codecs

    /// The id of the known name of field `i`, or -1.
    public int id(int i) {
        return slots[i * SLOT + ID];
    }

    /// Where names and values lie; read only, and only up to the next change.
    public byte[] buffer() {
        return bytes;
    }

    /// Start of name `i` in [#bytes].
    public int nameAt(int i) {
        return slots[i * SLOT + NAME_AT];
    }

    /// End of name `i`.
    public int nameEnd(int i) {
        return slots[i * SLOT + NAME_END];
    }

    /// Start of value `i` in [#bytes].
    public int valueAt(int i) {
        return slots[i * SLOT + VALUE_AT];
    }

    /// End of value `i`.
    public int valueEnd(int i) {
        return slots[i * SLOT + VALUE_END];
    }

    // For ResponseHead and FieldsWriter

    /// Returns these fields, which nobody can change from now on. Received fields are copied, since
    /// the next message takes their memory.
    Fields frozen() {
        Fields kept = access == Access.RECEIVED ? new Fields().addAll(this) : this;
        if (kept.access == Access.OPEN) {
            kept.access = Access.FROZEN;
        }
        return kept;
    }

    /// Bytes of the memory that [#reset] keeps.
    int memoryBytes() {
        return bytes.length + slots.length * Integer.BYTES;
    }

    /// Forgets every field, and gives up the memory.
    void release() {
        reset();
        bytes = NO_BYTES;
        slots = new int[0];
    }

    /// See [FieldsWriter#reset].
    void reset() {
        count = 0;
        used = 0;
    }

    /// See [FieldsWriter#mark].
    void mark(@Nullable FieldName name, int nameAt, int nameEnd, int valueAt, int valueEnd) {
        int at = slot();
        slots[at + ID] = name == null ? -1 : name.id();
        slots[at + NAME_AT] = nameAt;
        slots[at + NAME_END] = nameEnd;
        slots[at + VALUE_AT] = valueAt;
        slots[at + VALUE_END] = valueEnd;
    }

    /// Keeps the first `kept` fields, at places moved by `distance`: they stand again in the next
    /// message.
    void keepFirst(int kept, int distance) {
        count = kept;
        for (int at = 0; at < kept * SLOT; at += SLOT) {
            slots[at + NAME_AT] += distance;
            slots[at + NAME_END] += distance;
            slots[at + VALUE_AT] += distance;
            slots[at + VALUE_END] += distance;
        }
    }

    /// See [FieldsWriter#adopt].
    void adopt(byte[] from, int at, int length) {
        if (bytes.length < length) {
            bytes = new byte[Math.max(length, Math.min(2 * bytes.length, 4096))];
        }
        System.arraycopy(from, at, bytes, 0, length);
        used = length;
    }

    /// Whether value `i` equals `lowerCase`, letters in any case.
    public boolean valueIs(int i, String lowerCase) {
        int at = valueAt(i);
        if (valueEnd(i) - at != lowerCase.length()) {
            return false;
        }
        for (int k = 0; k < lowerCase.length(); k++) {
            int b = bytes[at + k];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != lowerCase.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(name(i)).append(": ").append(value(i)).append('\n');
        }
        return text.toString();
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private void append(int id, int nameAt, int valueAt, String value) {
        copy(value, valueAt);
        used = valueAt + value.length();
        int at = slot();
        slots[at + ID] = id;
        slots[at + NAME_AT] = nameAt;
        slots[at + NAME_END] = valueAt;
        slots[at + VALUE_AT] = valueAt;
        slots[at + VALUE_END] = used;
    }

    private int slot() {
        int at = count++ * SLOT;
        if (at == slots.length) {
            slots = Arrays.copyOf(slots, Math.max(8 * SLOT, 2 * slots.length));
        }
        return at;
    }

    private int reserve(int length) {
        checkOpen();
        if (bytes.length < used + length) {
            bytes = Arrays.copyOf(bytes, Math.max(256, 2 * (used + length)));
        }
        return used;
    }

    @SuppressWarnings("deprecation") // the only copy of a Latin-1 String that allocates nothing
    private void copy(String text, int at) {
        text.getBytes(0, text.length(), bytes, at);
    }

    private void checkOpen() {
        if (access != Access.OPEN) {
            throw new IllegalStateException(access.refusal);
        }
    }

    private static void checkName(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("A field name has at least one character");
        }
        for (int i = 0; i < name.length(); i++) {
            if (!ByteRules.token(name.charAt(i))) {
                throw new IllegalArgumentException(
                        "A field name is a token (RFC 9110 §5.6.2); character "
                                + i
                                + " of it is U+%04X".formatted((int) name.charAt(i)));
            }
        }
    }

    private static void checkValue(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
                throw new IllegalArgumentException(
                        "The value of "
                                + name
                                + " may not hold U+%04X at %d (RFC 9110 §5.5)"
                                        .formatted((int) c, i));
            }
        }
    }
}
