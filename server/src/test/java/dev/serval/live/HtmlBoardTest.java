package dev.serval.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.live.Board.Cell;
import dev.serval.live.Board.Tone;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HtmlBoardTest {
    private static final String EVIL = "</td><script>alert('1')</script>&\"\u0007";

    private static Board board(String text, List<Integer> ages, List<Double> values) {
        return new Board(
                text,
                text,
                List.of(new Board.Tile("id", text, text, text, Tone.BAD)),
                List.of(
                        new Board.Chart(
                                "chart", text, "ms", List.of(new Board.Line(text, ages, values)))),
                List.of(
                        new Board.Table(
                                "table",
                                text,
                                List.of(text, "b"),
                                List.of(
                                        List.of(
                                                Cell.of(text),
                                                new Cell(text, Tone.GOOD, List.of(30, 70)))),
                                text),
                        new Board.Table("none", "", List.of("a"), List.of(), text)));
    }

    @Test
    void noTextBecomesMarkup() {
        String page = HtmlBoard.page(board(EVIL, List.of(0), List.of(1.0)), true);
        assertThat(page)
                .doesNotContain("<script>", "alert('", "\u0007")
                .contains(
                        "&lt;/td&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;&quot;\uFFFD");
    }

    @Test
    void hasNoScriptAndNoStyleOfItsOwn() {
        String page = HtmlBoard.page(board("x", List.of(0), List.of(1.0)), true);
        assertThat(page).doesNotContain("style=", "<style", "onclick", "javascript:");
        assertThat(page.split("<script ", -1)).hasSize(3); // two files
        assertThat(page).contains("<script src=\"chart.js\" defer></script>");
    }

    @Test
    void refreshesOnlyWithoutScriptsAndIfAsked() {
        Board board = board("x", List.of(0), List.of(1.0));
        assertThat(HtmlBoard.page(board, true))
                .contains("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>");
        assertThat(HtmlBoard.page(board, false)).doesNotContain("http-equiv");
    }

    @Test
    void lineHasAGapWhereNothingWasSampled() {
        String page =
                HtmlBoard.page(
                        board("x", List.of(300, 299, 1, 0), List.of(0.0, 2.0, 4.0, 0.0)), true);
        assertThat(page).contains("d=\"M300 140.0L301 81.0M599 22.0L600 140.0\"");
    }

    @Test
    void chartSaysInWordsWhatItShows() {
        String page = HtmlBoard.page(board("x", List.of(1, 0), List.of(4.0, 1.0)), true);
        assertThat(page).contains("aria-label=\"x: x now 1.00, at most 4.00 ms.\"");
        assertThat(HtmlBoard.page(board("x", List.of(), List.of()), true))
                .contains("aria-label=\"x: x now –, at most 0 ms.\"");
    }

    @Test
    void jsonHasTheSameTexts() {
        String json = JsonBoard.json(board(EVIL, List.of(3), List.of(2.5))).toString();
        assertThat(json)
                .contains("\"points\":[{\"x\":-3,\"y\":2.5}]", "\"parts\":[30,70]")
                .contains("\"tone\":\"good\"")
                .doesNotContain("\u0007");
    }
}
