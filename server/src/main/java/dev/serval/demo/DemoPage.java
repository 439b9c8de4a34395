package dev.serval.demo;

import dev.serval.lrwp.peer.BodyTooLargeException;
import dev.serval.lrwp.peer.LrwpHandler;
import dev.serval.lrwp.peer.LrwpRequest;
import dev.serval.lrwp.peer.LrwpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The page at `/demo`: time, process, number of the request, the connection that answered, and a
/// form whose text comes back. Safe for several threads.
final class DemoPage {
    private static final int TEXT_MAX_CHARS = 2_000;
    private static final String FIELD = "text=";

    private final String template;
    private final InstantSource clock;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLongArray perConnection;

    /// Creates a page.
    ///
    /// @param pid of this process
    /// @param connections of this process to the server
    /// @throws IOException if the jar lacks the page
    DemoPage(long pid, int connections, InstantSource clock) throws IOException {
        this.clock = clock;
        this.perConnection = new AtomicLongArray(connections);
        StringBuilder code = new StringBuilder();
        escape(code, resource("Hello.java.txt"));
        this.template =
                resource("demo.html")
                        .replace("{code}", code)
                        .replace("{pid}", Long.toString(pid))
                        .replace("{started}", seconds(clock.instant()));
    }

    /// Returns what answers the requests of one connection.
    ///
    /// @param index from 0
    LrwpHandler connection(int index) {
        return request -> answer(index, request);
    }

    private LrwpResponse answer(int connection, LrwpRequest request) throws BodyTooLargeException {
        String echo;
        switch (request.method()) {
            case "GET", "HEAD" -> echo = "";
            case "POST" -> echo = entered(request.text());
            default -> {
                return LrwpResponse.status(405, "This page allows only GET, HEAD and POST.")
                        .with("Allow", "GET, HEAD, POST");
            }
        }
        if (!request.pathAfterName().isEmpty() && !request.pathAfterName().equals("/")) {
            return LrwpResponse.status(404, "This application has only the page at /demo.");
        }
        long number = requests.incrementAndGet();
        perConnection.incrementAndGet(connection);
        return LrwpResponse.html(page(connection, number, echo))
                .with("Cache-Control", "no-store")
                .with("X-Content-Type-Options", "nosniff")
                .with(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action"
                                + " 'self'; base-uri 'none'; frame-ancestors 'none'");
    }

    /// Returns the text of the form's only field; empty if the content is not that form.
    private static String entered(String form) {
        if (!form.startsWith(FIELD)) {
            return "";
        }
        try {
            String text = URLDecoder.decode(form.substring(FIELD.length()), StandardCharsets.UTF_8);
            return text.substring(0, Math.min(TEXT_MAX_CHARS, text.length()));
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private String page(int connection, long number, String echo) {
        StringBuilder tiles = new StringBuilder();
        for (int i = 0; i < perConnection.length(); i++) {
            boolean now = i == connection;
            tiles.append("      <li").append(now ? " class=\"now\">" : ">").append("Connection ");
            tiles.append(i + 1).append("<span>").append(perConnection.get(i)).append(" answered");
            tiles.append(now ? " with this" : "").append("</span></li>\n");
        }
        StringBuilder said = new StringBuilder();
        if (!echo.isEmpty()) {
            said.append("    <p style=\"margin-top:.9rem\">It got: <q>");
            escape(said, echo);
            said.append("</q></p>\n");
        }
        // The text of the client comes last, so that no placeholder in it is replaced.
        return template.replace("{time}", seconds(clock.instant()))
                .replace("{number}", Long.toString(number))
                .replace("{connections}", tiles)
                .replace("{echo}", said);
    }

    private static String seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace('T', ' ')
                .replace("Z", " UTC");
    }

    private static String resource(String name) throws IOException {
        try (@Nullable InputStream in = DemoPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("this jar has no " + name + ": build it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void escape(StringBuilder out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c < ' ' && c != '\n' ? ' ' : c);
            }
        }
    }
}
