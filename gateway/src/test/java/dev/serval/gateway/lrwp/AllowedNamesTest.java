package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.gateway.lrwp.AllowedNames.Rule;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AllowedNamesTest {
    private static final byte[] SECRET = {1, 2, 3};

    @Test
    void oneMoreNameIsAddedToTheOthers() {
        AllowedNames few = AllowedNames.of(Map.of("osp", new byte[0])).with("/Demo", SECRET);
        assertThat(few.rule("demo")).isInstanceOf(Rule.Secret.class);
        assertThat(few.rule("osp")).isInstanceOf(Rule.Open.class);
        assertThat(few.rule("other")).isInstanceOf(Rule.Forbidden.class);
        assertThat(few.allowsAll()).isFalse();
        assertThat(few.names()).containsExactlyInAnyOrder("demo", "osp");
    }

    @Test
    void namesAreComparedAsTheyAreRegistered() {
        AllowedNames few =
                AllowedNames.of(
                        Map.of("/Shop/cart/", new byte[0], "/", new byte[0], "a b", new byte[0]));
        assertThat(few.names()).containsExactlyInAnyOrder("shop/cart", "/", "a b");
        assertThat(few.with("demo/", SECRET).isNamed("demo")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a//b", "a%20b", "a\\b", "..", "a\tb"})
    void refusesNamesThatNoPeerCanRegister(String name) {
        assertThatThrownBy(() -> AllowedNames.of(Map.of(name, new byte[0])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No peer can register");
        assertThatThrownBy(() -> AllowedNames.ALL.with(name, SECRET))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nameWithAPassphraseIsProtectedAmongAllNames() {
        AllowedNames all = AllowedNames.ALL.with("demo", SECRET);
        assertThat(all.rule("DEMO")).isInstanceOf(Rule.Secret.class);
        assertThat(all.rule("other")).isInstanceOf(Rule.Unnamed.class);
        assertThat(all.isNamed("Demo")).isTrue();
        assertThat(all.isNamed("other")).isFalse();
        assertThat(all.allowsAll()).isTrue();
        assertThat(AllowedNames.ALL.rule("demo")).isInstanceOf(Rule.Unnamed.class);
    }

    @Test
    void emptyPassphraseProtectsNothing() {
        assertThatThrownBy(() -> AllowedNames.ALL.with("demo", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("demo");
    }
}
