package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/// Any text after the scheme: there are settings, or a sentence. All hosts are short numbers, so that
/// no name service is asked.
final class NeighbourSyntaxFuzz {
    private static final String[] SCHEMES = {"http://", "fastcgi://", "scgi://"};

    @FuzzTest(maxDuration = "20s")
    void options(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8).replace(',', ';');
        for (String scheme : SCHEMES) {
            check(scheme + "127.0.0.1:1?" + text);
            check(scheme + "127.0.0.1:1/" + text);
            check(scheme + "unix:/" + text);
        }
    }

    @FuzzTest(maxDuration = "20s")
    void address(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String digits = text.replaceAll("[^\\[\\]:/,?=&]+", "1");
        for (String scheme : SCHEMES) {
            check(scheme + digits);
        }
    }

    private static void check(String text) {
        switch (NeighbourSyntax.read(text)) {
            case NeighbourSyntax.Right(Neighbour neighbour) ->
                    assertThat(neighbour.addresses()).isNotEmpty();
            case NeighbourSyntax.Wrong(String sentence, boolean _) ->
                    assertThat(sentence).startsWith("\"" + text + "\"").endsWith(".");
        }
    }
}
