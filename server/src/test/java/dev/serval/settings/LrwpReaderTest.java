package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.AllowedNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LrwpReaderTest {
    @TempDir private Path folder;

    private static String allow(String name) {
        return "lrwp = { listen = '1081', allow = '" + name + "' }";
    }

    private AllowedNames allowed(String name) throws IOException {
        LrwpChoice choice = new WrittenFile(folder).right(allow(name)).lrwp();
        return Objects.requireNonNull(choice.settings()).allowed();
    }

    @Test
    void nameHasAtMost200Bytes() throws IOException {
        assertThat(allowed("x".repeat(200)).names()).containsExactly("x".repeat(200));
        assertThat(new WrittenFile(folder).wrong(allow("x".repeat(201))))
                .singleElement()
                .asString()
                .contains("allow takes the name that a peer registers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"osp", "/osp", "osp/", "/osp/", "OSP"})
    void nameIsThatOfARegistration(String name) throws IOException {
        assertThat(allowed(name).names()).containsExactly("osp");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a//b", "a%20b", "a/../b", "=pass"})
    void nameThatNoPeerCanRegisterIsRefused(String name) throws IOException {
        assertThat(new WrittenFile(folder).wrong(allow(name)))
                .singleElement()
                .asString()
                .contains("allow takes the name that a peer registers")
                .endsWith("not \"" + name + "\".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\nmore"})
    void passphraseEndsWithTheFirstLine(String end) throws IOException {
        Files.writeString(folder.resolve("pass"), "x".repeat(1024) + end);
        assertThat(allowed("osp=pass").names()).containsExactly("osp");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1025})
    void passphraseHasFrom1To1024Bytes(int length) throws IOException {
        Files.writeString(folder.resolve("pass"), "x".repeat(length) + "\n");
        assertThat(new WrittenFile(folder).wrong(allow("osp=pass")))
                .singleElement()
                .asString()
                .contains("The passphrase file \"pass\" must have 1 to 1024 bytes");
    }

    @Test
    void namesAndSendersNeedAListener() throws IOException {
        for (String key : new String[] {"allow = 'a'", "from = '10.0.0.1'"}) {
            assertThat(new WrittenFile(folder).wrong("[lrwp]\n" + key))
                    .containsExactly(
                            "serval.toml:1:1: [lrwp] has no effect without listen: add listen ="
                                    + " \"1081\".");
        }
    }
}
