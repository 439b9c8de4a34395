package dev.serval.servlet.password;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Makes and checks the nonces of DIGEST (RFC 7616 §5.4). A nonce is its time, a number, and an
/// HMAC of both, so that the server keeps nothing for clients that do not log in. Of a nonce that
/// was used with the right password it keeps which counts were used, so that a request cannot be
/// replayed. Any thread that may wait.
public final class DigestNonces {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int FACTS_BYTES = 16;
    private static final int MAC_BYTES = 16;
    private static final int WINDOW = 64; // requests of a client may overtake each other

    /// The counts of a nonce that were used.
    private static final class Use {
        long highest;
        long window; // bit n: the count `highest - n` was used
        long issuedNanos;
    }

    private final long validNanos;
    private final int max;
    private final LongSupplier nanoClock;
    private final SecretKeySpec key;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Use> uses = new LinkedHashMap<>(); // by first use
    private long forgottenNanos; // nonces up to this time may have been used and forgotten
    private boolean forgot;

    DigestNonces(long validNanos, int max, SecureRandom random, LongSupplier nanoClock) {
        this.validNanos = validNanos;
        this.max = max;
        this.nanoClock = nanoClock;
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /// Returns a new nonce.
    public String next() {
        ByteBuffer nonce = ByteBuffer.allocate(FACTS_BYTES + MAC_BYTES);
        nonce.putLong(nanoClock.getAsLong()).putLong(numbers.incrementAndGet());
        nonce.put(mac(nonce.array()), 0, MAC_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(nonce.array());
    }

    private byte[] mac(byte[] nonce) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(nonce, 0, FACTS_BYTES);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no " + ALGORITHM, e);
        }
    }

    /// Returns whether the nonce is one of this object and not too old.
    public boolean isValid(String nonce) {
        @Nullable Long issued = issuedNanos(nonce);
        return issued != null && isYoung(issued);
    }

    private boolean isYoung(long issuedNanos) {
        return nanoClock.getAsLong() - issuedNanos <= validNanos;
    }

    private @Nullable Long issuedNanos(String nonce) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(nonce);
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (bytes.length != FACTS_BYTES + MAC_BYTES) {
            return null;
        }
        byte[] expected = new byte[bytes.length];
        System.arraycopy(bytes, 0, expected, 0, FACTS_BYTES);
        System.arraycopy(mac(bytes), 0, expected, FACTS_BYTES, MAC_BYTES);
        // Another text of the same bytes would be another key of the map.
        boolean own =
                MessageDigest.isEqual(bytes, expected)
                        && Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(bytes)
                                .equals(nonce);
        return own ? ByteBuffer.wrap(bytes).getLong() : null;
    }

    /// Records the use of a nonce, after its response was found right.
    ///
    /// @return whether this count of the nonce is used for the first time
    public synchronized boolean use(String nonce, long count) {
        @Nullable Long issued = issuedNanos(nonce);
        if (issued == null || !isYoung(issued) || count < 1) {
            return false;
        }
        @Nullable Use use = uses.get(nonce);
        if (use == null) {
            if (forgot && issued - forgottenNanos <= 0) {
                return false; // it may have been used before
            }
            use = new Use();
            use.issuedNanos = issued;
            uses.put(nonce, use);
            shrink();
        }
        return use(use, count);
    }

    private static boolean use(Use use, long count) {
        if (count > use.highest) {
            long step = count - use.highest;
            use.window = step >= WINDOW ? 1 : use.window << step | 1;
            use.highest = count;
            return true;
        }
        long behind = use.highest - count;
        if (behind >= WINDOW || (use.window >>> behind & 1) != 0) {
            return false;
        }
        use.window |= 1L << behind;
        return true;
    }

    /// Drops the nonces that were used first, if there are too many.
    private void shrink() {
        Iterator<Use> oldest = uses.values().iterator();
        while (uses.size() > max && oldest.hasNext()) {
            Use one = oldest.next();
            if (!forgot || one.issuedNanos - forgottenNanos > 0) {
                forgottenNanos = one.issuedNanos;
                forgot = true;
            }
            oldest.remove();
        }
    }

    synchronized int size() {
        return uses.size();
    }
}
