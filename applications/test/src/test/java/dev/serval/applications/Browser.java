package dev.serval.applications;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/// A tab of the headless Chromium of this JVM, which starts with the first tab and ends with the JVM. A
/// tab has no cookies, files or messages of the tabs before it. Closing it closes the tab.
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    private static final List<ChromeDriver> STARTED = new ArrayList<>();

    private final ChromeDriver driver;
    private final String first;

    /// @param first the tab that the browser began with, which stays: it ends with its last tab
    private Browser(ChromeDriver driver, String first) {
        this.driver = driver;
        this.first = first;
    }

    /// Opens a tab. A test without the program is skipped.
    static Browser open() {
        assumeTrue(
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
                "needs chromedriver (Debian package chromium-driver)");
        ChromeDriver driver = started();
        String first = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
        Browser browser = new Browser(driver, first);
        List<String> _ = browser.console(); // what the tabs before it have left
        return browser;
    }

    private static synchronized ChromeDriver started() {
        if (STARTED.isEmpty()) {
            ChromeDriver driver = start();
            Runtime.getRuntime().addShutdownHook(new Thread(driver::quit));
            STARTED.add(driver);
        }
        return STARTED.getFirst();
    }

    private static ChromeDriver start() {
        ChromeOptions options = new ChromeOptions();
        options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
        options.setBinary(CHROMIUM.toString());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        File driver = DRIVER.toFile();
        return new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(driver)
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    /// Shows pages as on a screen of that width, in the light or the dark scheme.
    void show(int width, boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of(
                                        "name",
                                        "prefers-color-scheme",
                                        "value",
                                        dark ? "dark" : "light"))));
    }

    /// Turns the scripts of the pages that are opened from now on off.
    void withoutScripts() {
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    }

    /// Deletes all cookies, as if the visit had ended.
    void forgetCookies() {
        driver.manage().deleteAllCookies();
    }

    /// Returns the value of an expression in the page.
    Object value(String expression) {
        return Objects.requireNonNull(driver.executeScript("return " + expression));
    }

    /// Waits until an expression in the page is true.
    void awaitTrue(String expression) {
        new WebDriverWait(driver, PATIENCE)
                .ignoring(WebDriverException.class) // the page is changing
                .until(_ -> Boolean.TRUE.equals(value("Boolean(" + expression + ")")));
    }

    /// Returns what the pages have written to the console, errors of the browser included.
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    /// Returns a picture of the whole page as PNG.
    byte[] picture() {
        Map<String, Object> taken =
                driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        return Base64.getDecoder().decode(String.valueOf(taken.get("data")));
    }

    void open(String address) {
        driver.get(address);
    }

    WebElement find(By what) {
        return driver.findElement(what);
    }

    /// Returns the element that has the focus.
    WebElement active() {
        return driver.switchTo().activeElement();
    }

    /// Returns the texts of the elements that a CSS selector finds. One script reads them all, so
    /// that they are of one page.
    List<String> texts(String selector) {
        Object texts =
                driver.executeScript(
                        "return Array.from(document.querySelectorAll(arguments[0]),"
                                + " one => one.innerText.trim())",
                        selector);
        return ((List<?>) Objects.requireNonNull(texts)).stream().map(String::valueOf).toList();
    }

    /// Waits until an element has the text, also while another page takes the place of this one.
    void await(String selector, String text) {
        new WebDriverWait(driver, PATIENCE)
                .ignoring(WebDriverException.class) // the page is changing
                .until(_ -> texts(selector).contains(text));
    }

    /// Returns the text of the page.
    String text() {
        return find(By.tagName("body")).getText();
    }

    @Override
    public void close() {
        driver.close();
        driver.switchTo().window(first);
    }
}
