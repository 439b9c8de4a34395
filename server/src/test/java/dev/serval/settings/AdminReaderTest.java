package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AdminReaderTest {
    private static final String LOOPBACK =
            "admin = { listen = '127.0.0.1:8081', password-file = 'password' }";

    @TempDir private Path folder;

    private void password(String text) throws IOException {
        Files.writeString(folder.resolve("password"), text);
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 200})
    void takesAPasswordOfUsualLength(int length) throws IOException {
        String password = "x".repeat(length);
        password(password + "\nsecond line\n");
        AdminChoice admin = Objects.requireNonNull(new WrittenFile(folder).right(LOOPBACK).admin());
        assertThat(admin.password()).isEqualTo(password);
        assertThat(admin.metricsPassword()).isNull();
        assertThat(admin.toString()).doesNotContain(password);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 11, 201})
    void refusesAPasswordThatIsShorterOrLonger(int length) throws IOException {
        password("x".repeat(length) + "\n");
        assertThat(new WrittenFile(folder).wrong(LOOPBACK))
                .singleElement()
                .asString()
                .contains("The first line of password is no password of 12 to 200 characters.");
    }

    @Test
    void refusesAnAddressThatOthersCanReach() throws IOException {
        password("x".repeat(12));
        assertThat(new WrittenFile(folder).wrong(LOOPBACK.replace("127.0.0.1", "0.0.0.0")))
                .containsExactly(
                        "serval.toml:1:11: Other machines could reach this address without"
                                + " encryption: listen at 127.0.0.1, or at unix:FILE.");
        assertThat(new WrittenFile(folder).wrong("admin.listen = '127.0.0.1:8081'"))
                .containsExactly(
                        "serval.toml:1:1: Every user of this machine could reach this address: add a"
                                + " password-file, or listen at unix:FILE.");
    }

    @Test
    void saysWhyAPasswordCannotBeRead() throws IOException {
        assertThat(new WrittenFile(folder).wrong(LOOPBACK))
                .singleElement()
                .asString()
                .contains("There is no password file password: create it");
        Files.write(folder.resolve("password"), new byte[] {(byte) 0xff});
        assertThat(new WrittenFile(folder).wrong(LOOPBACK))
                .singleElement()
                .asString()
                .contains("The password file password cannot be read: it must be a file in UTF-8");
    }
}
