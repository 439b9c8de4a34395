package dev.serval.servlet.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static StoredSession with(int attributeBytes, int value) {
        byte[] attributes = new byte[attributeBytes];
        Arrays.fill(attributes, (byte) value);
        return new StoredSession("abcdefghijklmnopqrstuv", true, 1, 2, 3, 1_800, 0, attributes);
    }

    /// Returns the bytes of a file after a change of its session.
    private static byte[] changed(byte[] file, StoredSession session) throws Exception {
        RecordFormat.Found before = RecordFormat.newest(file);
        byte[] record = RecordFormat.record(session, before.sequence() + 1);
        byte[] after = Arrays.copyOf(file, Math.max(file.length, before.other() + record.length));
        System.arraycopy(record, 0, after, before.other(), record.length);
        return after;
    }

    private static StoredSession read(byte[] file) throws Exception {
        return RecordFormat.newest(file).session();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 1_974, 1_975, 5_000})
    void readsWhatWasWritten(int length) throws Exception {
        StoredSession session = with(length, 7);
        byte[] file = RecordFormat.file(session);
        assertThat(read(file)).usingRecursiveComparison().isEqualTo(session);
        assertThat(RecordFormat.isPair(session)).isEqualTo(length < 1_975);
        assertThat((long) file.length).isLessThanOrEqualTo(RecordFormat.fileBytes(session));
        RecordFormat.Summary summary =
                RecordFormat.summary(
                        Arrays.copyOf(file, Math.min(4_096, file.length)), file.length);
        assertThat(summary).isEqualTo(new RecordFormat.Summary(true, 3, 1_800));
    }

    /// The new record is in the other slot, whatever the lengths.
    @Test
    void newestRecordCounts() throws Exception {
        byte[] file = RecordFormat.file(with(100, 0));
        for (int i = 1; i < 100; i++) {
            StoredSession next = with(i * 997 % 1_975, i);
            byte[] before = file;
            file = changed(file, next);
            assertThat(read(file)).usingRecursiveComparison().isEqualTo(next);
            assertThat(file.length).isLessThanOrEqualTo(RecordFormat.PAIR_BYTES);
            assertThat(Arrays.mismatch(before, file)).isGreaterThanOrEqualTo(16);
        }
    }

    @Test
    void sequenceMayOverflow() throws Exception {
        byte[] file = RecordFormat.file(with(10, 1));
        byte[] last = RecordFormat.record(with(10, 2), Integer.MAX_VALUE);
        System.arraycopy(last, 0, file, 16, last.length);
        assertThat(read(changed(file, with(10, 3))).attributes()).containsOnly(3);
    }

    /// A change that is cut anywhere leaves the session as before, or as after if it was whole.
    @Test
    void changeThatIsCutLeavesTheRecordBefore() throws Exception {
        byte[] first = changed(RecordFormat.file(with(50, 1)), with(60, 2));
        byte[] second = changed(first, with(70, 3));
        int end = 16 + 44 + 22 + 70;
        for (int i = 16; i < end; i++) {
            byte[] cut = first.clone();
            System.arraycopy(second, 16, cut, 16, i - 16);
            assertThat(read(cut).attributes()).as("cut at %d", i).containsOnly(2);
        }
        assertThat(read(second).attributes()).containsOnly(3);
    }

    @Test
    void laterTimeOfUseCounts() throws Exception {
        byte[] file = RecordFormat.file(SESSION);
        ByteBuffer.wrap(file).putLong(RecordFormat.USED_AT, 1_000);
        assertThat(read(file).accessedMillis()).isEqualTo(1_000);
        assertThat(RecordFormat.summary(file, file.length).usedMillis()).isEqualTo(1_000);
        file = changed(file, SESSION);
        ByteBuffer.wrap(file).putLong(RecordFormat.USED_AT, 0);
        assertThat(read(file).accessedMillis()).isEqualTo(3);
    }

    /// Whoever chooses a long attribute must not forge a record in it.
    @Test
    void longSessionHasOneRecord() throws Exception {
        StoredSession user = with(3_500, 0);
        byte[] forged = RecordFormat.record(with(10, 9), 7);
        System.arraycopy(forged, 0, user.attributes(), 2_056 - 16 - 44 - 22, forged.length);
        byte[] file = RecordFormat.file(user);
        assertThat(read(file).attributes()).hasSize(3_500);
        assertThat(RecordFormat.newest(file).other()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 2_500})
    void findsEveryChangedByte(int length) {
        byte[] whole = RecordFormat.file(with(length, 7));
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 0x10;
            if (i >= 8 && i < 16) {
                continue; // the time of use, which later writes change alone
            }
            assertThatThrownBy(() -> read(changed))
                    .as("byte %d", i)
                    .isInstanceOf(DamagedSessionException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 2_500})
    void findsEveryTruncation(int length) {
        byte[] whole = RecordFormat.file(with(length, 7));
        for (int i = 0; i < whole.length; i++) {
            byte[] cut = Arrays.copyOf(whole, i);
            assertThatThrownBy(() -> read(cut)).isInstanceOf(DamagedSessionException.class);
            assertThatThrownBy(() -> RecordFormat.summary(cut, cut.length))
                    .isInstanceOf(DamagedSessionException.class);
        }
    }
}
