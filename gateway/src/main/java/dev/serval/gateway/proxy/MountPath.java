package dev.serval.gateway.proxy;

import dev.serval.handler.Route;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// The prefix of a mount as clients write it. Stateless.
final class MountPath {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private MountPath() {}

    /// Returns the prefix with all signs encoded that a path or a cookie may not have (RFC 3986 §3.3,
    /// RFC 6265 §4.1.1). Empty for the root.
    static String of(Route route) {
        String prefix = route.prefix();
        return prefix.equals("/") ? "" : isPlain(prefix) ? prefix : encoded(prefix);
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(int b) {
        int lower = b | 0x20;
        return (lower >= 'a' && lower <= 'z')
                || (b >= '0' && b <= '9')
                || "/-._~!$&'()*+,=:@".indexOf(b) >= 0;
    }

    private static String encoded(String text) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > 0 && isPlain(b)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.toHexDigits(b));
            }
        }
        return out.toString();
    }
}
