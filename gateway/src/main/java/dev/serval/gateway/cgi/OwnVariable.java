package dev.serval.gateway.cgi;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/// A variable that a mount sets, in place of one of the request with this name. Immutable.
///
/// @param name letters, digits and `_`
/// @param value any text without NUL, which is sent as UTF-8; `$$` is a dollar sign
public record OwnVariable(String name, String value) {
    /// The most variables of a mount.
    public static final int COUNT_MAX = 100;

    /// The longest name.
    public static final int NAME_MAX_BYTES = 256;

    /// The longest value.
    public static final int VALUE_MAX_BYTES = 8 << 10;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// Variables that belong to the protocol: with another length the content would not be found.
    private static final Set<String> REFUSED = Set.of("CONTENT_LENGTH", "SCGI");

    /// Checks name and value.
    public OwnVariable {
        if (name.length() > NAME_MAX_BYTES || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name of a variable has at most "
                            + NAME_MAX_BYTES
                            + " letters, digits and _, such as SCRIPT_FILENAME, not \""
                            + name
                            + "\"");
        }
        if (REFUSED.contains(name)) {
            throw new IllegalArgumentException(
                    "The variable "
                            + name
                            + " cannot be set, because it tells the application how the request is"
                            + " sent");
        }
        if (value.replace("$$", "").indexOf('$') >= 0) {
            throw new IllegalArgumentException(
                    "The value of the variable "
                            + name
                            + " is a fixed text: write $$ for a dollar sign");
        }
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "The value of the variable " + name + " has a NUL character");
        }
        if (sent(value).length > VALUE_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "The value of the variable "
                            + name
                            + " has more than "
                            + VALUE_MAX_BYTES
                            + " bytes");
        }
    }

    /// Returns the bytes of the name.
    byte[] nameBytes() {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    /// Returns the bytes of the value.
    byte[] valueBytes() {
        return sent(value);
    }

    private static byte[] sent(String value) {
        return value.replace("$$", "$").getBytes(StandardCharsets.UTF_8);
    }
}
