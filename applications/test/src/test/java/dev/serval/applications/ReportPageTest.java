package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.page.Planned;
import dev.serval.bench.page.ReportFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/// The report of the benchmark suite in a browser, from a file: light and dark, on a wide screen and
/// on a phone, with and without scripts. The results are made by hand and have every kind.
@Timeout(300)
final class ReportPageTest {
    /// A cell that the sample does not have, and servers that it was not asked for.
    private static final List<Planned> PLANS =
            List.of(
                    new Planned(
                            "sample",
                            Map.of(
                                    "cpu-5", List.of("serval", "a-server-with-a-long-name"),
                                    "a-cell-that-nothing-measures", List.of())));

    private static final Path SAMPLE =
            Path.of("../../bench/src/test/resources/dev/serval/bench/page/sample.json");

    /// Finds texts of a picture that lie on one another or outside of it. A line's height has a
    /// pixel of room.
    private static final String OVERLAPS =
            """
            (() => {
              const found = [];
              const out = (box, frame) => box.left < frame.left - 1 || box.right > frame.right + 1
                  || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
              const over = (a, b) => a.left < b.right && b.left < a.right
                  && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
              for (const svg of document.querySelectorAll('svg')) {
                const texts = svg.getClientRects().length ? [...svg.querySelectorAll('text')] : [];
                const boxes = texts.map((text) => text.getBoundingClientRect());
                boxes.forEach((box, i) => {
                  if (out(box, svg.getBoundingClientRect())) {
                    found.push('outside: ' + texts[i].textContent);
                  }
                  for (let j = 0; j < i; j++) {
                    if (over(box, boxes[j])) {
                      found.push(texts[j].textContent + ' / ' + texts[i].textContent);
                    }
                  }
                });
              }
              return found;
            })()\
            """;

    @TempDir Path folder;

    private String address() throws IOException {
        Files.copy(SAMPLE, folder.resolve("sample.json"));
        return ReportFolder.read(folder, PLANS).write().toUri().toString();
    }

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "400, false", "400, true"})
    void scriptDrawsTheCharts(int width, boolean dark) throws Exception {
        try (Browser browser = Browser.open()) {
            browser.show(width, dark);
            browser.open(address());
            browser.awaitTrue("document.documentElement.dataset.drawn");
            assertThat(count(browser, "figure.chart canvas"))
                    .isPositive()
                    .isEqualTo(count(browser, "figure.chart"));
            assertThat(count(browser, "figure.chart .drawing svg")).isZero();
            looksRight(browser, width, dark);
            keep(browser, "scripts-" + width + (dark ? "-dark" : "-light"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "400, false", "400, true"})
    void pageIsCompleteWithoutScripts(int width, boolean dark) throws Exception {
        try (Browser browser = Browser.open()) {
            browser.show(width, dark);
            browser.withoutScripts();
            browser.open(address());
            assertThat(count(browser, "figure.chart canvas")).isZero();
            assertThat(titles(browser, width == 400 ? "narrow" : "wide"))
                    .contains(
                            "latency (ms)",
                            "clients of the slow code (number)",
                            "goodput (answers/s)",
                            "offered (requests/s)");
            looksRight(browser, width, dark);
            keep(browser, "plain-" + width + (dark ? "-dark" : "-light"));
        }
    }

    /// Returns the titles of the axes, which are those with a unit.
    private static List<String> titles(Browser browser, String kind) {
        String texts = "document.querySelectorAll('.drawing svg." + kind + " text.axis')";
        Object all = browser.value("[...new Set(Array.from(" + texts + ", t => t.textContent))]");
        return ((List<?>) all)
                .stream().map(String::valueOf).filter(text -> text.endsWith(")")).toList();
    }

    @Test
    void keyboardOpensTheFigures() throws Exception {
        try (Browser browser = Browser.open()) {
            browser.open(address());
            browser.awaitTrue("document.documentElement.dataset.drawn");
            browser.find(By.cssSelector("figure.chart summary")).sendKeys(Keys.ENTER);
            browser.awaitTrue("document.querySelector('figure.chart details').open");
            assertThat(browser.texts("figure.chart details[open] caption"))
                    .containsExactly(
                            "Files beside code that computes: 99th percentile, latency (ms)");
        }
    }

    /// Nothing is wider than the screen or lies on another text, the scheme is the user's, and the
    /// browser complains of nothing.
    private static void looksRight(Browser browser, int width, boolean dark) {
        assertThat(browser.value("window.innerWidth")).isEqualTo((long) width);
        assertThat(browser.value("document.documentElement.scrollWidth"))
                .as("a page without a bar for sideways scrolling")
                .isEqualTo(browser.value("document.documentElement.clientWidth"));
        assertThat(browser.value("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(dark ? "rgb(18, 23, 29)" : "rgb(255, 255, 255)");
        assertThat((List<?>) browser.value(OVERLAPS)).isEmpty();
        assertThat(count(browser, "h1")).isEqualTo(1);
        assertThat(count(browser, "table:not(:has(caption))")).isZero();
        assertThat(count(browser, "tbody tr > :first-child:not(th[scope=row])")).isZero();
        assertThat(count(browser, "[role=img]:not([aria-label])")).isZero();
        assertThat(browser.console()).isEmpty();
    }

    private static long count(Browser browser, String selector) {
        return (Long) browser.value("document.querySelectorAll('" + selector + "').length");
    }

    /// Keeps a picture for people, beside the results of the tests.
    private static void keep(Browser browser, String name) throws IOException {
        Path pictures = Files.createDirectories(Path.of("target/pictures"));
        Files.write(pictures.resolve("report-" + name + ".png"), browser.picture());
    }
}
