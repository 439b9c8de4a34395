package dev.serval.servlet.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Stored sessions are read as they were written, and damage is found.
final class RecordFormatTest {
    static final StoredSession SESSION =
            new StoredSession(
                    "abcdefghijklmnopqrstuv",
                    /* confirmed */ true,
                    1,
                    2,
                    3,
                    1_800,
                    0,
                    new byte[] {7, 8, 9});

    @Test
    void readsWhatWasWritten() throws Exception {
        StoredSession read = RecordFormat.decode(RecordFormat.encode(SESSION));
        assertThat(read).usingRecursiveComparison().isEqualTo(SESSION);
    }

    @Test
    void findsEveryChangedByte() {
        byte[] whole = RecordFormat.encode(SESSION);
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 0x10;
            if (i == 6 || i == 7) {
                continue; // flags: a wrong one makes a session unconfirmed at worst
            }
            assertThatThrownBy(() -> RecordFormat.decode(changed))
                    .as("byte %d", i)
                    .isInstanceOf(DamagedSessionException.class);
        }
    }

    @Test
    void findsEveryTruncation() {
        byte[] whole = RecordFormat.encode(SESSION);
        for (int i = 0; i < whole.length; i++) {
            byte[] cut = Arrays.copyOf(whole, i);
            assertThatThrownBy(() -> RecordFormat.decode(cut))
                    .isInstanceOf(DamagedSessionException.class);
        }
    }
}
