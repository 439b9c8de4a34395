package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Checks answers with files, whether the system sends them or the connection reads them.
@Timeout(120)
final class FileContractTest {
    private static final int PERIOD = 251;
    private static final int LARGE = 16 << 20; // more than sockets hold
    private static final int[] SIZES = {1, 1000, 65_536, 65_537, 100_000, 1_000_000, 3_000_001};

    @TempDir private Path root;

    @ContractTest
    void sendsFilesOfEverySizeColdAndCached(ContractMode mode) throws IOException {
        for (int size : SIZES) {
            write("f" + size, size);
        }
        try (ContractServer server = start(mode)) {
            Caller caller = server.connect();
            for (int round = 0; round < 3; round++) {
                for (int size : SIZES) {
                    Call call = caller.awaitEnd(caller.get("/f" + size).expectPattern());
                    assertThat(call.isWhole()).isTrue();
                    assertThat(call.length()).isEqualTo(size);
                }
            }
        }
    }

    @ContractTest
    void answersRequestsInAdvanceInOrder(ContractMode mode) throws IOException {
        write("small", 1000);
        write("large", 300_000);
        try (ContractServer server = start(mode)) {
            Caller caller = server.connect();
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                calls.add(caller.get(i % 2 == 0 ? "/large" : "/small").expectPattern());
            }
            for (int i = 0; i < calls.size(); i++) {
                Call call = caller.awaitEnd(calls.get(i));
                assertThat(call.isWhole()).isTrue();
                assertThat(call.length()).isEqualTo(i % 2 == 0 ? 300_000 : 1000);
            }
        }
    }

    @ContractTest
    void sendsRangesOfALargeFile(ContractMode mode) throws IOException {
        write("large", 1_000_000);
        int from = 300 * PERIOD; // where the pattern begins anew
        try (ContractServer server = start(mode)) {
            Caller caller = server.connect();
            for (int to : new int[] {from, from + 100_000, 999_999}) {
                Call call =
                        caller.call(Call.Ask.get("/large").with("Range: bytes=" + from + "-" + to));
                caller.awaitEnd(call.expectPattern());
                assertThat(call.status()).isEqualTo(206);
                assertThat(call.isWhole()).isTrue();
                assertThat(call.length()).isEqualTo(to - from + 1);
            }
            Call parts =
                    caller.awaitEnd(
                            caller.call(
                                    Call.Ask.get("/large").with("Range: bytes=5-9,500000-500009")));
            assertThat(parts.status()).isEqualTo(206);
            assertThat(parts.isWhole()).isTrue();
            assertThat(parts.text())
                    .contains("\r\n\r\n\5\6\7\10\11\r\n")
                    .contains(ranged(500_000, 10));
        }
    }

    @ContractTest
    void slowReaderOfALargeFileHoldsLittleMemory(ContractMode mode) throws IOException {
        write("large", LARGE);
        write("small", 1000);
        try (ContractServer server = start(mode)) {
            Caller caller = server.connect();
            Call slow = caller.get("/large").expectPattern();
            caller.await("content has arrived", () -> slow.length() > 0);
            slow.pause();
            Caller other = server.beside(caller);
            for (int i = 0; i < 10; i++) {
                assertThat(other.awaitEnd(other.get("/small")).length()).isEqualTo(1000);
                server.look();
            }
            slow.resume();
            caller.await("all content", () -> server.look() && slow.isOver());
            assertThat(slow.isWhole()).isTrue();
            assertThat(slow.length()).isEqualTo(LARGE);
            assertThat(server.buffersMost()).isLessThan(32);
        }
    }

    @ContractTest
    void clientThatLeavesInTheMiddleOfAFileHoldsNothing(ContractMode mode) throws IOException {
        write("large", LARGE);
        try (ContractServer server = start(mode)) {
            for (int i = 0; i < 5; i++) {
                Caller caller = server.connect();
                Call call = caller.get("/large");
                caller.await("content has arrived", () -> call.length() > 0);
                caller.close();
            }
        }
    }

    @ContractTest
    void fileThatIsTruncatedWhileItIsSentEndsItsConnection(ContractMode mode) throws IOException {
        write("large", LARGE);
        write("small", 1000);
        try (ContractServer server = start(mode)) {
            Caller caller = server.connect();
            Call call = caller.get("/large").expectPattern();
            caller.await("content has arrived", () -> call.length() > 0);
            try (FileChannel channel = open("large")) {
                channel.truncate(1000);
            }
            caller.awaitEnd(call);
            assertThat(call.isBroken()).isTrue();
            assertThat(call.length()).isLessThan(LARGE);
            Caller other = server.connect();
            assertThat(other.awaitEnd(other.get("/small")).isWhole()).isTrue();
        }
    }

    @ContractTest
    void fileThatIsWrittenAnewWhileItIsSentEndsItsConnection(ContractMode mode) throws IOException {
        write("large", LARGE);
        try (ContractServer server = start(mode)) {
            Caller caller = server.connect();
            Call call = caller.get("/large");
            caller.await("content has arrived", () -> call.length() > 0);
            try (FileChannel channel = open("large")) {
                channel.write(ByteBuffer.allocate(LARGE), 0);
            }
            Files.setLastModifiedTime(root.resolve("large"), FileTime.fromMillis(1));
            caller.awaitEnd(call);
            assertThat(call.isBroken()).isTrue();
            assertThat(call.length()).isLessThan(LARGE);
        }
    }

    /// An answer that has begun keeps the file that it began with.
    @ContractTest
    void fileThatIsReplacedRemovedOrLongerArrivesAsItWas(ContractMode mode) throws IOException {
        for (String change : List.of("replace", "remove", "append")) {
            write("large", LARGE);
            write("other", 1000);
            try (ContractServer server = start(mode)) {
                Caller caller = server.connect();
                Call call = caller.get("/large").expectPattern();
                caller.await("content has arrived", () -> call.length() > 0);
                switch (change) {
                    case "replace" ->
                            Files.move(
                                    root.resolve("other"),
                                    root.resolve("large"),
                                    StandardCopyOption.REPLACE_EXISTING);
                    case "remove" -> Files.delete(root.resolve("large"));
                    default -> {
                        try (FileChannel channel = open("large")) {
                            channel.write(ByteBuffer.allocate(1000), LARGE);
                        }
                    }
                }
                caller.awaitEnd(call);
                assertThat(call.isWhole()).as(change).isTrue();
                assertThat(call.length()).as(change).isEqualTo(LARGE);
            }
        }
    }

    private ContractServer start(ContractMode mode) {
        return ContractServer.start(mode, _ -> Folder.of(root));
    }

    private FileChannel open(String name) throws IOException {
        return FileChannel.open(root.resolve(name), StandardOpenOption.WRITE);
    }

    private void write(String name, int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i % PERIOD);
        }
        Files.write(root.resolve(name), bytes);
    }

    private static String ranged(int from, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < from + length; i++) {
            text.append((char) (i % PERIOD));
        }
        return text.toString();
    }
}
