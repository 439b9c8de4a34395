package dev.serval.gateway.lrwp;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// The challenge of LRWP 2.0: 32 random bytes, which the peer returns combined with the passphrase
/// by exclusive or. An observer of one exchange learns the passphrase, so this protects only against
/// mistakes. Used once.
final class Challenge {
    /// The bytes of a challenge and of its answer.
    static final int BYTES = 32;

    private final byte[] sent = new byte[BYTES];

    /// Creates a challenge.
    ///
    /// @param random a source that cannot be predicted
    Challenge(RandomGenerator random) {
        random.nextBytes(sent);
    }

    /// Returns a copy of the bytes to send.
    byte[] sent() {
        return sent.clone();
    }

    /// Returns whether `source[from, from + 32)` is the answer, in a time that does not depend on
    /// where it differs.
    boolean isAnswered(byte[] source, int from, byte[] passphrase) {
        byte[] right = answer(sent, passphrase);
        return MessageDigest.isEqual(right, Arrays.copyOfRange(source, from, from + BYTES));
    }

    /// Returns the answer of a peer that knows the passphrase.
    static byte[] answer(byte[] challenge, byte[] passphrase) {
        byte[] answer = new byte[challenge.length];
        for (int i = 0; i < answer.length; i++) {
            answer[i] = (byte) (challenge[i] ^ passphrase[i % passphrase.length]);
        }
        return answer;
    }
}
