package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegistrationTest {
    private static String startup(String name, String host, LrwpVersion version) {
        return new String(
                Registration.open(name, host, version).startup(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void hasTwoMarksInVersion1() {
        assertThat(startup("app", "", LrwpVersion.V1_0)).isEqualTo("app\u00FF\u00FF");
        assertThat(startup("app", "www", LrwpVersion.V1_0)).isEqualTo("app\u00FFwww\u00FF");
    }

    @Test
    void beginsWithItsVersionInVersion2() {
        assertThat(startup("app", "www", LrwpVersion.V2_0))
                .isEqualTo("\u00FF2.0\u00FFapp\u00FFwww\u00FF");
    }

    @Test
    void dropsLeadingSlash() {
        assertThat(startup("/several/parts", "", LrwpVersion.V1_0))
                .isEqualTo("several/parts\u00FF\u00FF");
    }

    @Test
    void keepsTheSlashOfEachPathAndTheBlanksOfAName() {
        assertThat(startup("/", "", LrwpVersion.V1_0)).isEqualTo("/\u00FF\u00FF");
        assertThat(startup("/a b", "", LrwpVersion.V1_0)).isEqualTo("a b\u00FF\u00FF");
    }

    @ParameterizedTest
    @CsvSource({
        "'','',name is empty",
        "'a\tb','',the name has a control character at index 1",
        "'a\u007F','',the name has a control character at index 1",
        "a,'b c',the host has a blank or a control character at index 1",
        "a,'b\tc',the host has a blank or a control character at index 1"
    })
    void refusesPartsThatCannotBeRegistered(String name, String host, String why) {
        assertThatThrownBy(() -> Registration.open(name, host, LrwpVersion.V1_0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void limitsPartsTo200Bytes() {
        assertThat(startup("a".repeat(200), "", LrwpVersion.V1_0)).hasSize(202);
        assertThatThrownBy(() -> startup("a".repeat(201), "", LrwpVersion.V1_0))
                .hasMessageContaining("201 bytes");
        assertThatThrownBy(() -> startup("a", "ä".repeat(101), LrwpVersion.V1_0))
                .hasMessageContaining("202 bytes");
    }

    @Test
    void answersChallengeByExclusiveOr() {
        byte[] challenge = new byte[32];
        for (int i = 0; i < 32; i++) {
            challenge[i] = (byte) (i * 37);
        }
        byte[] phrase = "key".getBytes(StandardCharsets.US_ASCII);
        byte[] answer =
                Objects.requireNonNull(
                        new Registration("a", "", LrwpVersion.V2_0, phrase).answer(challenge));

        assertThat(answer).hasSize(41);
        assertThat(new String(answer, 0, 9, StandardCharsets.US_ASCII)).isEqualTo("000000032");
        for (int i = 0; i < 32; i++) {
            assertThat(answer[9 + i]).isEqualTo((byte) (challenge[i] ^ phrase[i % 3]));
        }
    }

    @Test
    void hasNoAnswerWithoutPassphrase() {
        assertThat(Registration.open("a", "", LrwpVersion.V2_0).answer(new byte[32])).isNull();
    }
}
