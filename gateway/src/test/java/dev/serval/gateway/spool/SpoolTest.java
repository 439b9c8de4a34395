package dev.serval.gateway.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.Lender;
import dev.serval.handler.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class SpoolTest {
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.US_ASCII);

    private static final Lender LENDER =
            new Lender() {
                @Override
                public ByteBuffer lend() {
                    return ByteBuffer.allocate(CONTENT.length);
                }

                @Override
                public void hold(long bytes) {}

                @Override
                public void giveBack(ByteBuffer lent) {}

                @Override
                public @Nullable ByteBuffer lendLong() {
                    return null;
                }

                @Override
                public void giveBackLong(ByteBuffer lent, boolean reusable) {}

                @Override
                public byte[] spare() {
                    return new byte[0];
                }

                @Override
                public void keep(byte[] spare) {}
            };

    /// Writes to this device of Linux fail as those to a full disk do.
    @Test
    @EnabledOnOs(OS.LINUX)
    void contentThatTheDiskDoesNotTakeStaysInMemory() {
        SpoolQuota quota = new SpoolQuota(SpoolLimits.DEFAULT, SpoolTest::full);
        Spool spool = new Spool(quota, LENDER, true);
        assertThat(spool.append(CONTENT, 0, CONTENT.length)).isEqualTo(CONTENT.length);
        assertThat(spool.reserve()).isTrue();
        assertThat(quota.diskBytes()).isEqualTo(CONTENT.length);
        spool.flush();
        assertThat(spool.flushed()).isInstanceOf(IOException.class);
        assertThat(quota.diskBytes()).isZero();
        assertThat(spool.length()).isEqualTo(CONTENT.length);
        Body.Bytes part = (Body.Bytes) spool.part(0, CONTENT.length);
        assertThat(part.buffer()).isEqualTo(ByteBuffer.wrap(CONTENT));
        spool.free();
    }

    private static FileChannel full() throws IOException {
        return FileChannel.open(
                Path.of("/dev/full"), StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
}
