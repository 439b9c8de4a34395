package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ServletException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which requests only compile a page (Pages 4.0 §11.4.2).
final class PrecompileParameterTest {
    private static final String NAME = "jsp_precompile";

    @ParameterizedTest
    @CsvSource({
        "jsp_precompile, true",
        "jsp_precompile=true, true",
        "jsp_precompile=false, true", // the page does not run either
        "a=1&jsp_precompile=true&b, true",
        "'', false",
        "a=jsp_precompile, false",
        "xjsp_precompile=true, false",
        "jsp_precompiled=true, false"
    })
    void isSet(String query, boolean set) throws ServletException {
        assertThat(PrecompileParameter.isSet(query, NAME)).isEqualTo(set);
    }

    @Test
    void nameMayBeAnother() throws ServletException {
        assertThat(PrecompileParameter.isSet("only", "only")).isTrue();
        assertThat(PrecompileParameter.isSet("jsp_precompile", "only")).isFalse();
    }

    @Test
    void requestWithoutAQueryRunsThePage() throws ServletException {
        assertThat(PrecompileParameter.isSet(null, NAME)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsp_precompile=", "jsp_precompile=yes", "a&jsp_precompile=TRUE"})
    void otherValueIsRefused(String query) {
        assertThatThrownBy(() -> PrecompileParameter.isSet(query, NAME))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("true or false");
    }
}
