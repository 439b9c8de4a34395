package dev.serval.servlet.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UserTextTest {
    private static final int ITERATIONS = 1_000;
    private static final PasswordHash HASH =
            PasswordHash.of("s3cret", ITERATIONS, new SecureRandom());

    @TempDir Path folder;
    private long now;

    private static UserText parse(String text) throws IOException {
        return UserText.parse("users.txt", text.replace("HASH", HASH.text()));
    }

    @Test
    void readsUsersAndComments() throws IOException {
        UserText text = parse("# a comment\n\nada  staff,admin\tHASH\n bob - HASH\n");
        assertThat(text.inOrder()).extracting(UserLine::name).containsExactly("ada", "bob");
        assertThat(text.users().get("ada"))
                .satisfies(user -> {
                    assertThat(user.roles()).containsExactly("staff", "admin");
                    assertThat(user.matches("s3cret")).isTrue();
                    assertThat(user.matches("S3cret")).isFalse();
                    assertThat(user.matches("")).isFalse();
                });
        assertThat(text.users().get("bob")).satisfies(u -> assertThat(u.roles()).isEmpty());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ada                     | 1:4: A line has a name, roles or "-", a password hash
                    ada staff               | 1:10: A line has a name
                    ada staff HASH x y      | y: A line has a name
                    a:b staff HASH          | 1:1: A name has 1 to 256 characters
                    ada staff,, HASH        | 1:5: A role is empty or written twice.
                    ada staff,staff HASH    | 1:5: A role is empty or written twice.
                    ada staff s3cret        | 1:11: This is not the hash of a password
                    ada staff pbkdf2-sha256:9:AAAA:AAAA | 1:11: This is not the hash of a password
                    ada staff HASH digest   | This is not a hash for DIGEST
                    ada staff HASH digest-sha256:a:0123 | This is not a hash for DIGEST
                    ada staff HASH digest-sha256:%zz:0123 | This is not a hash for DIGEST
                    """)
    void namesLineAndColumn(String line, String message) {
        String wanted = message.startsWith("y: ") ? message.substring(3) : message;
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("users.txt:1:")
                .hasMessageContaining(wanted);
    }

    @Test
    void refusesAUserTwice() {
        assertThatThrownBy(() -> parse("ada - HASH\nbob - HASH\nada - HASH"))
                .hasMessageStartingWith("users.txt:3:1: The user is in an earlier line, too.");
    }

    @Test
    void keepsCommentsAndOrderWhenItChanges() throws IOException {
        Path file = folder.resolve("users.txt");
        UserText text = parse("# first\nada - HASH\n\nbob - HASH\n");
        text.put(new UserLine("ada", Set.of("staff"), HASH, "the realm: 1", "a".repeat(64)));
        text.put(new UserLine("eve", Set.of(), HASH, null, null));
        assertThat(text.remove("bob")).isTrue();
        assertThat(text.remove("bob")).isFalse();
        text.write(file);
        assertThat(Files.readString(file).replace(HASH.text(), "HASH"))
                .isEqualTo(
                        "# first\nada staff HASH digest-sha256:the+realm%3A+1:"
                                + "a".repeat(64)
                                + "\n\neve - HASH\n");
        UserText again = UserText.read(file);
        assertThat(again.inOrder()).extracting(UserLine::name).containsExactly("ada", "eve");
        @Nullable UserLine ada = again.users().get("ada");
        assertThat(ada == null ? null : ada.digest("ada", "the realm: 1", "SHA-256"))
                .isEqualTo("a".repeat(64));
        assertThat(ada == null ? null : ada.digest("ada", "other", "SHA-256")).isNull();
        try (var all = Files.list(folder)) {
            assertThat(all).containsExactly(file); // no temporary file
        }
    }

    @Test
    void onlyTheOwnerReadsANewFile() throws IOException {
        Path file = folder.resolve("users.txt");
        UserText.empty().write(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(UserText.exposure(file)).isNull();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        UserText.empty().write(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(UserText.exposure(file)).contains("chmod 600");
    }

    @Test
    void fileIsReadAgainWhenItChanges() throws IOException {
        Path file = folder.resolve("users.txt");
        parse("ada staff HASH").write(file);
        FileUsers users = FileUsers.open(file, () -> now);
        assertThat(users.find("ada")).isNotNull();
        assertThat(users.find("bob")).isNull();

        parse("bob staff HASH").write(file);
        Files.setLastModifiedTime(file, FileTime.from(1, TimeUnit.SECONDS));
        now += TimeUnit.SECONDS.toNanos(1) - 1;
        assertThat(users.find("bob")).isNull(); // not looked yet
        now += 1;
        assertThat(users.find("bob")).isNotNull();
        assertThat(users.find("ada")).isNull();
        assertThat(users.version()).isEqualTo(1);
    }

    @Test
    void wrongFileLeavesTheUsersAsTheyWere() throws IOException {
        Path file = folder.resolve("users.txt");
        parse("ada staff HASH").write(file);
        FileUsers users = FileUsers.open(file, () -> now);
        Files.writeString(file, "nonsense");
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(users.find("ada")).isNotNull();
        Files.delete(file);
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(users.find("ada")).isNotNull();
        parse("bob staff HASH").write(file); // may have the length, inode and tick of the first one
        Files.setLastModifiedTime(file, FileTime.from(1, TimeUnit.SECONDS));
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(users.find("ada")).isNull();
        assertThat(users.find("bob")).isNotNull();
    }

    /// A file that cannot be read is tried again, even if nothing about it seems to have changed.
    @Test
    void transientFaultIsForgotten() throws IOException {
        Path file = folder.resolve("users.txt");
        parse("ada staff HASH").write(file);
        FileUsers users = FileUsers.open(file, () -> now);
        String next = "bob staff,x " + HASH.text() + "\n";
        FileTime time = FileTime.from(1, TimeUnit.SECONDS);
        Files.writeString(file, "?".repeat(next.length()));
        Files.setLastModifiedTime(file, time);
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(users.find("ada")).isNotNull();
        Files.writeString(file, next);
        Files.setLastModifiedTime(file, time);
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(users.find("ada")).isNull();
        assertThat(users.find("bob")).isNotNull();
    }

    /// A server that runs as another user must be able to read the file after root has changed it.
    @Test
    void fileKeepsItsOwner() throws IOException {
        Path file = folder.resolve("users.txt");
        UserText.empty().write(file);
        assumeTrue(Files.getOwner(file).getName().equals("root"), "only root may change owners");
        Files.setAttribute(file, "unix:uid", 65_534);
        Files.setAttribute(file, "unix:gid", 65_534);
        UserText.empty().write(file);
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(65_534);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(65_534);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /// The hash was computed by `hashlib.pbkdf2_hmac` of Python.
    @Test
    void hashesAsOtherProgramsDo() {
        @Nullable PasswordHash hash =
                PasswordHash.parse(
                        "pbkdf2-sha256:1000:MTIzNDU2Nzg=:cXxhC5eyqtNX3w8dF1qcbHu9CZQzpqHYDZlUhP7a8Nc=");
        assertThat(hash).isNotNull();
        assertThat(hash != null && hash.matches("p\u00e4sswd")).isTrue();
        assertThat(hash != null && hash.matches("passwd")).isFalse();
    }
}
