package dev.serval.live;

import dev.serval.app.App;
import dev.serval.app.AppExchange;
import dev.serval.site.LiveSite;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// The live page: GET `/` with what belongs to it, and `/live.json` for its script. It holds its files in
/// memory. Used by Workers.
public final class LivePage implements AutoCloseable {
    /// No script or style of the page itself, and nothing from elsewhere.
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private final LiveBoard board;
    private final Sampler sampler;
    private final byte[] style;
    private final byte[] script;
    private final byte[] charts;

    /// Starts to sample a server.
    ///
    /// @param ownMount the mount of administration, whose requests do not count
    /// @throws IllegalStateException if the jar lacks a file of the page
    public LivePage(LiveSite site, String ownMount) {
        this.style = resource("live.css");
        this.script = resource("live.js");
        this.charts = resource("chart.umd.min.js");
        this.sampler = Sampler.start(site.serval(), ownMount);
        this.board = new LiveBoard(site, sampler.histories(), ownMount, System.nanoTime());
    }

    /// Adds the routes of the page.
    public void addTo(App.Builder routes) {
        routes.get("/", this::page)
                .get("/live.json", this::figures)
                .get("/live.css", x -> plain(x).bytes(style, "text/css; charset=utf-8"))
                .get("/live.js", x -> plain(x).bytes(script, "text/javascript; charset=utf-8"))
                .get("/chart.js", x -> plain(x).bytes(charts, "text/javascript; charset=utf-8"));
    }

    private void figures(AppExchange x) throws InterruptedException {
        plain(x).json(JsonBoard.json(board.read(Span.of(x.query("span")))).toString());
    }

    private void page(AppExchange x) throws InterruptedException {
        boolean refresh = !"no".equals(x.query("refresh"));
        plain(x).field("Content-Security-Policy", POLICY)
                .field("Referrer-Policy", "no-referrer")
                .html(HtmlBoard.page(board.read(Span.of(x.query("span"))), refresh));
    }

    private static AppExchange plain(AppExchange x) {
        return x.field("X-Content-Type-Options", "nosniff");
    }

    private static byte[] resource(String name) {
        try (@Nullable InputStream file = LivePage.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("This jar has no " + name + ": build it again");
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Stops sampling.
    @Override
    public void close() {
        sampler.close();
    }
}
