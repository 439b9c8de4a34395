package dev.serval.boringssl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NativeLibraryTest {
    @ParameterizedTest
    @CsvSource({"Windows 11, amd64", "Linux, riscv64", "Mac OS X, aarch64"})
    void otherSystemsGetASentence(String system, String processor) {
        assertThat(NativeLibrary.problem(system, processor))
                .contains("built for Linux on x86_64 and aarch64")
                .contains(system + " on " + processor)
                .contains("use the provider jdk");
    }

    @Test
    void libraryOfAnotherProcessorGetsASentence() {
        String other = System.getProperty("os.arch").equals("amd64") ? "aarch64" : "amd64";
        assertThat(NativeLibrary.problem("Linux", other))
                .contains("cannot be loaded from " + System.getProperty("java.io.tmpdir"))
                .contains("-Djava.io.tmpdir");
    }
}
