package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class TargetTest {
    private final Target target = new Target();

    @Test
    void readsTheOriginForm() {
        byte[] bytes = bytes("..//a?b..");
        assertThat(target.origin(bytes, 2, 7, 6)).isNull();
        assertThat(target.form()).isEqualTo(Target.Form.ORIGIN);
        assertThat(target.path().text()).isEqualTo("/a");
        assertThat(target.query()).isEqualTo("b");
        assertThat(target.authority()).isNull();
        assertThat(target.text()).isEqualTo("//a?b");
    }

    @Test
    void readsTheAbsoluteForm() {
        byte[] bytes = bytes("http://x:1/a?b");
        assertThat(target.absolute(bytes, 0, bytes.length, 7, 10, 13)).isNull();
        assertThat(target.form()).isEqualTo(Target.Form.ABSOLUTE);
        assertThat(target.authority()).isEqualTo("x:1");
        assertThat(target.path().text()).isEqualTo("/a");
        assertThat(target.query()).isEqualTo("b");
    }

    @Test
    void hasTheRootPathIfThereIsNoPath() {
        byte[] bytes = bytes("http://x?b");
        target.absolute(bytes, 0, bytes.length, 7, 8, 9);
        assertThat(target.path().text()).isEqualTo("/");
        target.authority(bytes("x:1"), 0, 3);
        assertThat(target.path().text()).isEqualTo("/");
        assertThat(target.authority()).isEqualTo("x:1");
        assertThat(target.query()).isNull();
        target.asterisk(bytes("*"), 0);
        assertThat(target.path().text()).isEqualTo("/");
        assertThat(target.authority()).isNull();
        assertThat(target.text()).isEqualTo("*");
    }

    @Test
    void distinguishesEmptyQueryFromNone() {
        target.origin(bytes("/?"), 0, 2, 2);
        assertThat(target.query()).isEmpty();
        target.origin(bytes("/"), 0, 1, -1);
        assertThat(target.query()).isNull();
    }

    @Test
    void reportsFaultOfThePath() {
        assertThat(target.origin(bytes("/.."), 0, 3, -1)).isNotNull();
    }

    @Test
    void movesWithItsHead() {
        byte[] bytes = bytes("..http://x/a?b");
        target.absolute(bytes, 2, bytes.length, 9, 10, 13);
        byte[] copy = bytes("http://y/c?d");
        target.move(copy, -2);
        assertThat(target.authority()).isEqualTo("y");
        assertThat(target.path().text()).isEqualTo("/c");
        assertThat(target.query()).isEqualTo("d");
        assertThat(target.text()).isEqualTo("http://y/c?d");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
