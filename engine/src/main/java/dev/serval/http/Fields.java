package dev.serval.http;

import dev.serval.codec.ByteRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The fields of a message (RFC 9110 §5), in order: a table of indices into one byte array. Strings
/// are created only on request. Values are ISO-8859-1, because that encoding loses no byte.
///
/// Applications fill it with [#add], which refuses characters that could end a line. Codecs fill it
/// with a [FieldsWriter], after they have checked the bytes. Received fields and the fields of a
/// [ResponseHead] cannot be changed. Owned by the component that created it.
public final class Fields {
    /// Whether fields may be changed, and the error message if not.
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

    private static final byte[] NO_BYTES = {}; // before EMPTY, which has them

    /// An empty list of fields that cannot be changed.
    public static final Fields EMPTY = new Fields(0, Access.EMPTY);

    private static final int SLOT = 5;
    private static final int ID = 0;
    private static final int NAME_AT = 1;
    private static final int NAME_END = 2;
    private static final int VALUE_AT = 3;
    private static final int VALUE_END = 4;

    private Access access;
    private byte[] bytes;
    private int used;
    private int[] slots;
    private int count;

    /// Creates an empty list with room for a few fields.
    public Fields() {
        this(8, Access.OPEN);
    }

    private Fields(int room, Access access) {
        this.access = access;
        this.slots = new int[room * SLOT];
        this.bytes = NO_BYTES;
    }

    /// Creates fields that only their [FieldsWriter] changes.
    static Fields received() {
        return new Fields(8, Access.RECEIVED);
    }

    /// Creates a list of one field.
    public static Fields of(FieldName name, String value) {
        return new Fields().add(name, value);
    }

    /// Returns the number of fields; each repetition of a name counts.
    public int size() {
        return count;
    }

    /// Appends a field.
    ///
    /// @throws IllegalArgumentException if the value has a control character or a character outside
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
    /// @throws IllegalArgumentException if the name is not a token (RFC 9110 §5.6.2), or for a
    ///     value that [#add(FieldName, String)] refuses
    /// @throws IllegalStateException if the fields were received or belong to a [ResponseHead]
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

    /// Appends all fields of `others`.
    public Fields addAll(Fields others) {
        for (int i = 0; i < others.count; i++) {
            add(others, i);
        }
        return this;
    }

    /// Appends field `i` of `others`. Copies its bytes without a String, since both kinds of fields
    /// were checked.
    ///
    /// @throws IllegalStateException if the fields were received or belong to a [ResponseHead]
    public Fields add(Fields others, int i) {
        int from = others.nameAt(i);
        int nameLength = others.nameEnd(i) - from;
        int valueLength = others.valueEnd(i) - others.valueAt(i);
        byte[] source = others.bytes;
        int nameAt = reserve(nameLength + valueLength);
        int valueAt = nameAt + nameLength;
        System.arraycopy(source, from, bytes, nameAt, nameLength);
        System.arraycopy(source, others.valueAt(i), bytes, valueAt, valueLength);
        used = valueAt + valueLength;
        addSlot(others.id(i), nameAt, valueAt);
        return this;
    }

    /// Replaces all fields of that name with one field.
    public Fields set(FieldName name, String value) {
        remove(name);
        return add(name, value);
    }

    /// Removes all fields of that name.
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

    /// Replaces all fields of that name by one, at the end.
    ///
    /// @throws IllegalArgumentException as [#add(String, String)]
    public Fields set(String name, String value) {
        remove(name);
        return add(name, value);
    }

    /// Removes all fields of that name, ignoring case.
    public Fields remove(String name) {
        @Nullable FieldName known = FieldName.of(name);
        if (known != null) {
            return remove(known);
        }
        checkOpen();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (slots[i * SLOT + ID] >= 0 || !name.equalsIgnoreCase(name(i))) {
                System.arraycopy(slots, i * SLOT, slots, kept * SLOT, SLOT);
                kept++;
            }
        }
        count = kept;
        return this;
    }

    /// Returns the values of all fields of that name, ignoring case, in order.
    public List<String> all(String name) {
        @Nullable FieldName known = FieldName.of(name);
        if (known != null) {
            return all(known);
        }
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (slots[i * SLOT + ID] < 0 && name.equalsIgnoreCase(name(i))) {
                values.add(value(i));
            }
        }
        return values;
    }

    /// Returns the bytes of all names and values, and of fields that were removed since.
    public int textBytes() {
        return used;
    }

    /// Returns whether these fields begin with all of `others`, in the same order and letter case.
    /// Fields from which some were removed may be taken for different ones.
    public boolean beginWith(Fields others) {
        return count >= others.count
                && used >= others.used
                && Arrays.equals(
                        slots, 0, others.count * SLOT, others.slots, 0, others.count * SLOT)
                && Arrays.equals(bytes, 0, others.used, others.bytes, 0, others.used);
    }

    /// Returns the name of field `i`, as it was written.
    public String name(int i) {
        return text(slots[i * SLOT + NAME_AT], slots[i * SLOT + NAME_END]);
    }

    /// Returns the value of field `i` without surrounding white space.
    public String value(int i) {
        return text(slots[i * SLOT + VALUE_AT], slots[i * SLOT + VALUE_END]);
    }

    /// Returns the known name of field `i`, or null.
    public @Nullable FieldName known(int i) {
        int id = slots[i * SLOT + ID];
        return id < 0 ? null : FieldName.byId(id);
    }

    /// Returns the index of the first field of that name at or after `from`, or -1.
    public int indexOf(FieldName name, int from) {
        int id = name.id();
        for (int i = from, at = from * SLOT; i < count; i++, at += SLOT) {
            if (slots[at + ID] == id) {
                return i;
            }
        }
        return -1;
    }

    /// Returns whether there is a field of that name.
    public boolean contains(FieldName name) {
        return indexOf(name, 0) >= 0;
    }

    /// Returns the first value of that name, or null.
    public @Nullable String first(FieldName name) {
        int i = indexOf(name, 0);
        return i < 0 ? null : value(i);
    }

    /// Returns the first value of that name, ignoring case, or null.
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

    /// Returns every value of that name, in order.
    public List<String> all(FieldName name) {
        List<String> values = new ArrayList<>();
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(value(i));
        }
        return values;
    }

    /// Returns all values of that name joined by ", ", or null if there are none. For list-valued
    /// fields the joined value has the same meaning (§5.3).
    public @Nullable String combined(FieldName name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : String.join(", ", values);
    }

    /// Returns fields that stay as they are now. Received fields are copied, because the next message
    /// reuses their memory; all others are returned.
    public Fields lasting() {
        if (access != Access.RECEIVED) {
            return this;
        }
        return count == 0 ? EMPTY : new Fields().addAll(this);
    }

    // For codecs

    /// Returns the id of the known name of field `i`, or -1.
    public int id(int i) {
        return slots[i * SLOT + ID];
    }

    /// Returns the array that holds names and values. Read-only, and valid until the next change.
    public byte[] buffer() {
        return bytes;
    }

    /// Returns the start of name `i` in [#buffer].
    public int nameAt(int i) {
        return slots[i * SLOT + NAME_AT];
    }

    /// Returns the end of name `i`, exclusive.
    public int nameEnd(int i) {
        return slots[i * SLOT + NAME_END];
    }

    /// Returns the start of value `i` in [#buffer].
    public int valueAt(int i) {
        return slots[i * SLOT + VALUE_AT];
    }

    /// Returns the end of value `i`, exclusive.
    public int valueEnd(int i) {
        return slots[i * SLOT + VALUE_END];
    }

    // For ResponseHead and FieldsWriter

    /// Freezes these fields and returns them. Received fields are copied first ([#lasting]).
    Fields frozen() {
        Fields kept = lasting();
        if (kept.access == Access.OPEN) {
            kept.access = Access.FROZEN;
        }
        return kept;
    }

    /// Returns the size in bytes of the memory that [#reset] keeps.
    int memoryBytes() {
        return bytes.length + slots.length * Integer.BYTES;
    }

    /// Removes all fields and releases the memory.
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

    /// Keeps the first `kept` fields, which the next message repeats, and moves their indices by
    /// `distance`.
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

    /// Copies `from[at, end)` behind the bytes that the marks refer to.
    ///
    /// @return index of the copy in [#buffer]
    int append(byte[] from, int at, int end) {
        int copyAt = makeRoom(end - at);
        System.arraycopy(from, at, bytes, copyAt, end - at);
        used = copyAt + end - at;
        return copyAt;
    }

    /// Joins the values of all fields of that name into the first one, without those that are empty.
    void join(FieldName name, byte[] separator) {
        int first = indexOf(name, 0);
        int second = first < 0 ? -1 : indexOf(name, first + 1);
        if (second < 0) {
            return;
        }
        int at = used;
        append(bytes, valueAt(first), valueEnd(first));
        int kept = second;
        for (int i = second; i < count; i++) {
            if (id(i) == name.id()) {
                boolean empty = valueAt(i) == valueEnd(i);
                append(separator, 0, empty || used == at ? 0 : separator.length);
                append(bytes, valueAt(i), valueEnd(i));
            } else {
                System.arraycopy(slots, i * SLOT, slots, kept++ * SLOT, SLOT);
            }
        }
        count = kept;
        slots[first * SLOT + VALUE_AT] = at;
        slots[first * SLOT + VALUE_END] = used;
    }

    /// Returns the number in value `i`, which must have only digits (RFC 9110 §8.6), or -1.
    public long number(int i) {
        int to = valueEnd(i);
        int from = valueAt(i);
        long value = from == to ? -1 : 0;
        for (int at = from; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /// Returns whether value `i` equals `lowerCase`, ignoring case.
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
        addSlot(id, nameAt, valueAt);
    }

    private void addSlot(int id, int nameAt, int valueAt) {
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
        return makeRoom(length);
    }

    private int makeRoom(int length) {
        if (bytes.length < used + length) {
            bytes = Arrays.copyOf(bytes, Math.max(256, 2 * (used + length)));
        }
        return used;
    }

    @SuppressWarnings("deprecation") // the only copy of a Latin-1 String without allocation
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
            throw new IllegalArgumentException("A field name must have at least one character");
        }
        for (int i = 0; i < name.length(); i++) {
            if (!ByteRules.token(name.charAt(i))) {
                throw new IllegalArgumentException(
                        "A field name must be a token (RFC 9110 §5.6.2); character "
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
                                + " must not have U+%04X at index %d (RFC 9110 §5.5)"
                                        .formatted((int) c, i));
            }
        }
    }
}
