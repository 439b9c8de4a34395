package dev.serval.servlet.session;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// Draws session ids: 128 random bits as 22 characters of the URL-safe Base64 alphabet (RFC 4648
/// §5). An id needs no quoting in a cookie or a URL.
///
/// Random bytes are drawn for 64 ids at once into one of several stripes, which a thread chooses by
/// its id. So threads rarely wait for each other, or for the source. Any thread.
public final class SessionIds {
    /// The length of an id in characters.
    public static final int LENGTH = 22;

    /// The ids that one request can name, of which the first counts whose session exists. An older
    /// cookie of another path or domain may come before the one that counts (RFC 6265 §5.4).
    public static final int NAMED_MAX = 4;

    private static final int BYTES = 16;
    private static final int BATCH = 64;
    private static final int STRIPES = 16; // a power of two

    private final Stripe[] stripes = new Stripe[STRIPES];

    /// Draws from `source`.
    public SessionIds(SecureRandom source) {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(source);
        }
    }

    /// Returns a new id.
    public String next() {
        long thread = Thread.currentThread().threadId();
        byte[] drawn = stripes[(int) thread & (STRIPES - 1)].draw();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(drawn);
    }

    /// Returns whether `text` has the form of an id. Other texts name no session.
    public static boolean isWellFormed(String text) {
        if (text.length() != LENGTH) {
            return false;
        }
        for (int i = 0; i < LENGTH; i++) {
            if (!isIdCharacter(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /// Returns the texts that have the form of an id, in order, at most [#NAMED_MAX] of them.
    public static List<String> wellFormed(List<String> texts) {
        if (texts.isEmpty()) {
            return List.of(); // as for most requests of files
        }
        List<String> ids = new ArrayList<>(NAMED_MAX);
        for (String text : texts) {
            if (ids.size() < NAMED_MAX && isWellFormed(text)) {
                ids.add(text);
            }
        }
        return ids;
    }

    private static boolean isIdCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_';
    }

    private static final class Stripe {
        private final SecureRandom source;
        private final byte[] bytes = new byte[BATCH * BYTES];
        private int at = bytes.length;

        Stripe(SecureRandom source) {
            this.source = source;
        }

        /// Bytes are erased when drawn, so that a heap dump shows no id that was given out.
        synchronized byte[] draw() {
            if (at == bytes.length) {
                source.nextBytes(bytes);
                at = 0;
            }
            byte[] drawn = Arrays.copyOfRange(bytes, at, at + BYTES);
            Arrays.fill(bytes, at, at + BYTES, (byte) 0);
            at += BYTES;
            return drawn;
        }
    }
}
