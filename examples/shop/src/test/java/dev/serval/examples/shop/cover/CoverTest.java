package dev.serval.examples.shop.cover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.HashSet;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

final class CoverTest {
    private static Document parsed(byte[] svg) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg));
    }

    @Test
    void sameBookHasTheSameCoverAndAnotherDesignAnother() {
        byte[] cover = Cover.draw(3, 0, "Title", "Author", false);
        assertThat(Cover.draw(3, 0, "Title", "Author", false)).isEqualTo(cover);
        assertThat(Cover.draw(3, 1, "Title", "Author", false)).isNotEqualTo(cover);
        assertThat(Cover.draw(4, 0, "Title", "Author", false)).isNotEqualTo(cover);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyCoverIsWellFormedAndSmall(boolean large) throws Exception {
        Set<Integer> sizes = new HashSet<>();
        for (int book = 1; book <= 300; book++) {
            byte[] svg = Cover.draw(book, 0, "The Road and the Harbour", "Ann Ash", large);
            assertThat(parsed(svg).getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(svg).hasSizeBetween(600, large ? 20_000 : 2_500);
            sizes.add(svg.length);
        }
        assertThat(sizes).hasSizeGreaterThan(6); // all motifs
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "</text><script>alert(1)</script>",
                "\" onload=\"alert(1)",
                "&lt; &#0; ]]> <!--",
                "\u0000\u0001\ud800 \ufffe",
                "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
                "a b c d e f g h i j k l m n o p q r s t u v w x y z and many more words to come here",
                ""
            })
    void titleAndAuthorAreOnlyText(String hostile) throws Exception {
        Document svg = parsed(Cover.draw(1, 0, hostile, hostile, false));
        assertThat(svg.getElementsByTagName("script").getLength()).isZero();
        NodeList all = svg.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            assertThat(all.item(i).getAttributes().getNamedItem("onload")).isNull();
        }
        assertThat(svg.getElementsByTagName("text").getLength()).isBetween(2, 6);
    }

    @Test
    void coversAreKeptInTheirSlots() {
        Covers covers = new Covers(4);
        Covers.Drawn one = new Covers.Drawn(1, 0, new byte[1]);
        Covers.Drawn five = new Covers.Drawn(5, 0, new byte[1]);
        assertThat(covers.of(1)).isNull();
        covers.keep(one);
        assertThat(covers.of(1)).isSameAs(one);
        assertThat(covers.of(5)).isNull();
        covers.keep(five);
        assertThat(covers.of(5)).isSameAs(five);
        assertThat(covers.of(1)).isNull();
    }
}
