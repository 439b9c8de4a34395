package dev.serval.gateway.cgi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Collects the variables of one request in the bytes of their protocol. Order of calls: [#clear];
/// for each variable [#begin], `put` as often as needed, and [#end]; [#addOwn] at last. One buffer
/// serves one request after another. Owned by one loop.
///
/// A variable of the request that the mount sets itself is left out, because applications differ in
/// which of two they read.
///
/// A name or value never has a NUL byte: one would end it early, and its rest would be read as
/// other variables.
public final class VariableBuffer {
    /// The most bytes of all variables together. Heads that the engine accepts need far less.
    public static final int MAX_BYTES = 1 << 20;

    private static final int KEPT_MAX_BYTES = 64 << 10;
    private static final int SHORT_LENGTH_MAX = 127;
    private static final int LONG_LENGTH = 0x80;
    private static final int LENGTH_BYTES = 4;
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    /// A variable of the mount, as it is written.
    private record Own(String name, byte[] nameBytes, byte[] value) {}

    private final VariableForm form;
    private final Own[] own;
    private byte[] bytes = new byte[2048];
    private int length;
    private int startAt; // of the variable
    private int nameAt;
    private boolean isLeftOut; // because the mount sets it
    private boolean addsOwn;
    private int lengthAt; // of the value's length, for LENGTHS
    private int valueAt;
    private boolean tooLarge;

    /// Creates an empty buffer for a mount that sets no variable.
    public VariableBuffer(VariableForm form) {
        this(form, List.of());
    }

    /// Creates an empty buffer.
    ///
    /// @param own what the mount sets
    public VariableBuffer(VariableForm form, List<OwnVariable> own) {
        this.form = form;
        this.own =
                own.stream()
                        .map(one -> new Own(one.name(), one.nameBytes(), one.valueBytes()))
                        .toArray(Own[]::new);
    }

    /// Removes all variables. Keeps memory of usual size.
    public void clear() {
        length = 0;
        tooLarge = false;
        if (bytes.length > KEPT_MAX_BYTES) {
            bytes = new byte[2048];
        }
    }

    /// Returns the array whose first [#length] bytes are the variables. It changes with every
    /// variable that is added.
    public byte[] array() {
        return bytes;
    }

    /// Returns the number of bytes.
    public int length() {
        return length;
    }

    /// Returns whether the variables did not fit into [#MAX_BYTES], so that the request must be
    /// refused.
    public boolean isTooLarge() {
        return tooLarge;
    }

    /// Starts a variable.
    ///
    /// @param name of characters that [#put(String)] takes
    public void begin(String name) {
        open(name.length());
        put(name);
        startValue();
    }

    /// Starts the variable of a request field, `HTTP_` and its name in upper case, with `_` in
    /// place of `-` (RFC 3875 §4.1.18).
    public void beginField(byte[] source, int from, int to) {
        open(5 + to - from);
        put("HTTP_");
        reserve(to - from);
        for (int i = from; i < to && !tooLarge; i++) {
            int b = source[i];
            bytes[length++] = (byte) (b == '-' ? '_' : b >= 'a' && b <= 'z' ? b - 0x20 : b);
        }
        startValue();
    }

    /// Appends the ISO-8859-1 characters of `text` to the value.
    @SuppressWarnings("deprecation") // the only copy of a Latin-1 String without allocation
    public VariableBuffer put(String text) {
        int count = text.length();
        if (reserve(count)) {
            text.getBytes(0, count, bytes, length);
            length += count;
        }
        return this;
    }

    /// Appends `source[from, to)` to the value.
    public VariableBuffer put(byte[] source, int from, int to) {
        if (reserve(to - from)) {
            System.arraycopy(source, from, bytes, length, to - from);
            length += to - from;
        }
        return this;
    }

    /// Appends a number of 0 or more in decimal digits.
    public VariableBuffer put(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        if (reserve(digits)) {
            long rest = number;
            for (int at = length + digits - 1; at >= length; at--) {
                bytes[at] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            length += digits;
        }
        return this;
    }

    /// Ends the variable.
    ///
    /// @throws IllegalArgumentException if the value has a NUL byte, which no request has
    public void end() {
        if (tooLarge) {
            return;
        }
        if (hasNul(bytes, valueAt, length)) {
            throw new IllegalArgumentException("A variable must not have a NUL byte");
        }
        if (isLeftOut) {
            length = startAt;
            return;
        }
        switch (form) {
            case ASSIGNMENTS, NUL_PAIRS -> putByte(0);
            case LENGTHS -> setLength(lengthAt, length - valueAt);
        }
    }

    /// Looks at eight bytes at a time: only a NUL byte borrows a bit that was not set before.
    private static boolean hasNul(byte[] bytes, int from, int to) {
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long eight = (long) LONGS.get(bytes, i);
            if ((eight - LOW_BITS & ~eight & HIGH_BITS) != 0) {
                return true;
            }
        }
        for (; i < to; i++) {
            if (bytes[i] == 0) {
                return true;
            }
        }
        return false;
    }

    /// Adds a whole variable with a value of ISO-8859-1 characters.
    public void add(String name, String value) {
        begin(name);
        put(value);
        end();
    }

    /// Adds a whole variable with these bytes as its value.
    public void add(String name, byte[] value) {
        begin(name);
        put(value, 0, value.length);
        end();
    }

    /// Adds the variables that the mount sets.
    public void addOwn() {
        addsOwn = true;
        for (Own one : own) {
            add(one.name, one.value);
        }
        addsOwn = false;
    }

    /// Appends one byte that belongs to no variable, such as the last NUL of LRWP.
    public void putByte(int b) {
        if (reserve(1)) {
            bytes[length++] = (byte) b;
        }
    }

    private void open(int nameLength) {
        startAt = length;
        if (form == VariableForm.LENGTHS) {
            reserveLengths(nameLength);
        }
        nameAt = length;
    }

    private void reserveLengths(int nameLength) {
        if (nameLength <= SHORT_LENGTH_MAX) {
            putByte(nameLength);
        } else if (reserve(LENGTH_BYTES)) {
            setLength(length, nameLength);
            length += LENGTH_BYTES;
        }
        lengthAt = length;
        if (reserve(LENGTH_BYTES)) {
            length += LENGTH_BYTES;
        }
    }

    private void startValue() {
        isLeftOut = !addsOwn && isOwn();
        switch (form) {
            case ASSIGNMENTS -> putByte('=');
            case NUL_PAIRS -> putByte(0);
            case LENGTHS -> {}
        }
        valueAt = length;
    }

    /// Returns whether the mount sets the variable whose name was written.
    private boolean isOwn() {
        for (Own one : own) {
            byte[] name = one.nameBytes;
            if (length - nameAt == name.length
                    && Arrays.equals(bytes, nameAt, length, name, 0, name.length)) {
                return true;
            }
        }
        return false;
    }

    private void setLength(int at, int value) {
        bytes[at] = (byte) (value >>> 24 | LONG_LENGTH);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    private boolean reserve(int more) {
        if (tooLarge || more > MAX_BYTES - length) {
            tooLarge = true;
            return false;
        }
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
        return true;
    }
}
