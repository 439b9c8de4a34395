package dev.serval.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.live.Board.Cell;
import dev.serval.live.Board.Tone;
import dev.serval.policy.LoadMode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HtmlBoardTest {
    private static final String EVIL = "</td><script>alert('1')</script>&\"\u0007";

    private static final ModeBand BAND =
            new ModeBand(
                    List.of(
                            new ModeBand.Stretch(600, 60, LoadMode.LIGHT),
                            new ModeBand.Stretch(60, 30, LoadMode.CRITICAL)));

    private static Board board(String text, List<Integer> ages, List<Double> values) {
        return new Board(
                text,
                text,
                List.of(new Board.Tile("id", text, text, text, Tone.BAD)),
                List.of(
                        new Board.Chart(
                                "chart", text, "ms", List.of(new Board.Line(text, ages, values)))),
                Span.TEN_MINUTES,
                BAND,
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
    void pauseOfFiveSecondsIsStillALine() {
        String page = HtmlBoard.page(board("x", List.of(11, 6, 0), List.of(1.0, 1.0, 1.0)), true);
        assertThat(page).contains("d=\"M589 22.0L594 22.0M600 22.0\"");
    }

    @Test
    void chartOfNothingButZerosIsALineAtTheBottom() {
        String page = HtmlBoard.page(board("x", List.of(1, 0), List.of(0.0, 0.0)), true);
        assertThat(page).contains("d=\"M599 140.0L600 140.0\"").doesNotContain("NaN");
    }

    @Test
    void eachLineOfAChartHasItsPathAndItsName() {
        Board.Line one = new Board.Line("median", List.of(0), List.of(1.0));
        Board.Line two = new Board.Line("99 %", List.of(0), List.of(2.0));
        StringBuilder svg = new StringBuilder();
        SvgChart.write(
                new Board.Chart("c", "t", "ms", List.of(one, two)), Span.TEN_MINUTES, BAND, svg);
        assertThat(svg)
                .contains("<path class=\"line line0\" d=\"M600 81.0\"/>")
                .contains("<text class=\"end line0\" x=\"596\" y=\"16\">median 1.00</text>")
                .contains("<path class=\"line line1\" d=\"M600 22.0\"/>")
                .contains("<text class=\"end line1\" x=\"446\" y=\"16\">99 % 2.00</text>");
    }

    @Test
    void tableHasHeadersOfRowsBarsOfPartsAndAWordIfItIsEmpty() {
        String page = HtmlBoard.page(board("x", List.of(0), List.of(1.0)), true);
        assertThat(page)
                .contains("<tr><th scope=\"row\" class=\"plain\" data-label=\"x\">x</th>")
                .contains("<td class=\"good\" data-label=\"b\">x<svg class=\"bar\"")
                .contains("<rect class=\"part0\" x=\"0\" width=\"30\" height=\"6\"/>")
                .contains("<rect class=\"part1\" x=\"30\" width=\"70\" height=\"6\"/>")
                .contains("<tr class=\"empty\"><td colspan=\"1\">x</td></tr>")
                .containsOnlyOnce("<svg class=\"bar\"");
    }

    @Test
    void bandShowsTheLoadModes() {
        String page = HtmlBoard.page(board("x", List.of(0), List.of(1.0)), true);
        assertThat(page)
                .contains(
                        "<rect class=\"mode-light\" x=\"0.0\" y=\"149\" width=\"540.0\" height=\"2\"/>")
                .contains(
                        "<rect class=\"mode-critical\" x=\"540.0\" y=\"143\" width=\"30.0\" height=\"8\"/>")
                .contains("light <span id=\"mode-light\">9 min 0 s</span>")
                .contains("heavy <span id=\"mode-heavy\">–</span>");
    }

    @Test
    void chartsOfAnotherTimeAreALink() {
        Board board = board("x", List.of(0), List.of(1.0));
        assertThat(HtmlBoard.page(board, true))
                .contains(
                        "<a href=\"?span=10m\" aria-current=\"page\">10 minutes</a>",
                        "<a href=\"?span=1h\">1 hour</a>",
                        "<a href=\"?span=10m&amp;refresh=no\">Stop refreshing</a>",
                        ">10 min ago</text>");
        assertThat(HtmlBoard.page(board, false))
                .contains("<a href=\"?span=1d&amp;refresh=no\">1 day</a>");
    }

    @Test
    void lineOfALongerTimeIsDrawnToItsScale() {
        StringBuilder svg = new StringBuilder();
        Board.Line line =
                new Board.Line("a", List.of(43_200, 42_480, 41_000), List.of(1.0, 1.0, 1.0));
        SvgChart.write(
                new Board.Chart("c", "t", "", List.of(line)),
                Span.DAY,
                new ModeBand(List.of()),
                svg);
        assertThat(svg).contains("d=\"M300 22.0L305 22.0M315 22.0\"", ">24 h ago</text>");
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
                .contains("\"span\":600", "\"legend\":{\"light\":\"9 min 0 s\"")
                .contains("{\"from\":-60,\"to\":-30,\"mode\":\"critical\",\"height\":8}")
                .doesNotContain("\u0007");
    }
}
