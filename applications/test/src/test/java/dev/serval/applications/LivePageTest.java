package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/// The live page of the administration listener in a browser: light and dark, on a wide screen and on a
/// phone, with and without scripts.
@Timeout(300)
final class LivePageTest {
    private static final String PASSWORD = "correct-horse-battery";
    private static final int CHARTS = 5;

    /// Eight tiles in full rows: none is on its own.
    private static final String ROWS_OF_TILES =
            "new Set([...document.querySelectorAll('.tiles > div')].map(one => one.offsetTop)).size";

    @TempDir Path folder;
    private String address = "";

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "400, false", "400, true"})
    void scriptDrawsChartsAndKeepsThePageUpToDate(int width, boolean dark) throws Exception {
        try (AppServer server = started();
                Browser browser = Browser.open()) {
            browser.show(width, dark);
            browser.open(address);
            browser.awaitTrue("document.documentElement.dataset.live");
            assertThat(count(browser, "figure canvas[role=img][aria-label]")).isEqualTo(CHARTS);
            assertThat(count(browser, "figure svg")).isZero();
            assertThat(browser.text()).doesNotContain("404");
            assertThat(server.get("none").statusCode()).isEqualTo(404);
            browser.await("#mounts tbody tr:first-child td:nth-child(4)", "1"); // 4xx
            looksRight(browser, width, dark);
            keep(browser, "scripts-" + width + (dark ? "-dark" : "-light"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1280, false", "1280, true", "400, false", "400, true"})
    void pageIsCompleteWithoutScripts(int width, boolean dark) throws Exception {
        try (AppServer server = started();
                Browser browser = Browser.open()) {
            assertThat(server.get("none").statusCode()).isEqualTo(404);
            browser.show(width, dark);
            browser.withoutScripts();
            browser.open(address + "?refresh=no");
            assertThat(count(browser, "figure svg[role=img][aria-label]")).isEqualTo(CHARTS);
            assertThat(browser.find(By.id("pause")).isDisplayed()).isFalse();
            assertThat(browser.texts("#refusals caption"))
                    .containsExactly("Refusals since the start");
            assertThat(browser.texts("#mounts tbody th")).contains("/");
            assertThat(browser.texts("nav a[aria-current=page]")).containsExactly("10 minutes");
            looksRight(browser, width, dark);
            keep(browser, "plain-" + width + (dark ? "-dark" : "-light"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1 hour, 1h, -3600", "1 day, 1d, -86400"})
    void chartsShowAnHourOrADay(String link, String span, long oldestSeconds) throws Exception {
        try (AppServer _ = started();
                Browser browser = Browser.open()) {
            browser.show(1280, false);
            browser.open(address);
            browser.awaitTrue("document.documentElement.dataset.live");
            browser.find(By.linkText(link)).click();
            browser.awaitTrue(
                    "document.documentElement.dataset.live && location.search === '?span="
                            + span
                            + "'");
            assertThat(
                            browser.value(
                                    "Chart.getChart(document.querySelector('canvas')).scales.x.min"))
                    .isEqualTo(oldestSeconds);
            assertThat(browser.texts("nav a[aria-current=page]")).containsExactly(link);
            assertThat(browser.console()).isEmpty();
        }
    }

    @Test
    void keyboardPausesThePage() throws Exception {
        try (AppServer server = started();
                Browser browser = Browser.open()) {
            browser.open(address);
            browser.awaitTrue("document.documentElement.dataset.live");
            browser.find(By.tagName("body")).sendKeys(Keys.TAB);
            browser.awaitTrue("document.activeElement.id === 'pause'");
            browser.find(By.id("pause")).sendKeys(Keys.ENTER);
            browser.await("#pause", "Continue");
            assertThat(server.get("none").statusCode()).isEqualTo(404);
            browser.find(By.id("pause")).sendKeys(Keys.SPACE);
            browser.await("#pause", "Pause");
            browser.await("#mounts tbody tr:first-child td:nth-child(4)", "1");
        }
    }

    /// Nothing is wider than the screen, the scheme is the user's, and the browser complains of nothing.
    private static void looksRight(Browser browser, int width, boolean dark) {
        assertThat(browser.value("window.innerWidth")).isEqualTo((long) width);
        assertThat(browser.value("document.documentElement.scrollWidth"))
                .as("a page without a bar for sideways scrolling")
                .isEqualTo(browser.value("document.documentElement.clientWidth"));
        assertThat(browser.value("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(dark ? "rgb(18, 23, 29)" : "rgb(255, 255, 255)");
        assertThat(count(browser, "h1")).isEqualTo(1);
        assertThat(browser.value(ROWS_OF_TILES))
                .as("rows of tiles")
                .isEqualTo(width > 1000 ? 1L : 4L);
        assertThat(count(browser, ".legend .swatch")).isEqualTo(4);
        assertThat(count(browser, "table:not(:has(caption))")).isZero();
        assertThat(count(browser, "tbody tr:not(.empty) > :first-child:not(th[scope=row])"))
                .isZero();
        assertThat(browser.console()).isEmpty();
    }

    private static long count(Browser browser, String selector) {
        return (Long) browser.value("document.querySelectorAll('" + selector + "').length");
    }

    /// Keeps a picture for people, beside the results of the tests.
    private static void keep(Browser browser, String name) throws IOException {
        Path pictures = Files.createDirectories(Path.of("target/pictures"));
        Files.write(pictures.resolve("live-" + name + ".png"), browser.picture());
    }

    private AppServer started() throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "index");
        Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        int port = FreePort.find();
        address = "http://admin:" + PASSWORD + "@127.0.0.1:" + port + "/";
        Path file = folder.resolve("serval.toml");
        Files.writeString(
                file,
                """
                listener = [{ address = "0" }]
                mount = [{ folder = "site" }]
                [admin]
                listen = "127.0.0.1:PORT"
                password-file = "password"
                """
                        .replace("PORT", Integer.toString(port)));
        return AppServer.configured(folder, file);
    }
}
