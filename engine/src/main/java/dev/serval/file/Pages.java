package dev.serval.file;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.TargetPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Serves contents that are part of the program, such as a welcome page, by the rules of
/// [FileHandler]: conditions, ranges, HEAD. Immutable; answers on the loop; other paths are passed
/// to the next handler of the chain.
public final class Pages implements Handler {
    private static final String CHARSET = "utf-8";

    /// A content with its media type.
    ///
    /// @param content not to be changed any more
    /// @param type value of Content-Type
    public record Page(byte[] content, String type) {
        /// The resource `name` beside `type` on its class path; the media type is the name's.
        ///
        /// @throws IllegalArgumentException where there is none
        public static Page ofResource(Class<?> type, String name) {
            try (@Nullable InputStream in = type.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalArgumentException(
                            "There is no resource " + name + " beside " + type.getName());
                }
                return new Page(in.readAllBytes(), MediaTypes.of(name, CHARSET));
            } catch (IOException e) {
                throw new UncheckedIOException("The resource " + name + " cannot be read", e);
            }
        }
    }

    private final Map<String, Representation> byPath = new HashMap<>();
    private final Responder responder = new Responder(InstantSource.system());

    private Pages(Map<String, Page> pages) {
        pages.forEach((path, page) -> {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException(
                        "The path of a page begins with a slash: \"" + path + "\"");
            }
            byPath.put(
                    path,
                    new Representation(
                            new Representation.InMemory(page.content()),
                            page.type(),
                            EntityTag.strong(page.content()),
                            Representation.NEVER,
                            false,
                            true));
        });
    }

    /// Serves `pages` by their path below the mount, such as `/` or `/style.css`.
    public static Pages of(Map<String, Page> pages) {
        return new Pages(pages);
    }

    @Override
    public void handle(Exchange x) {
        TargetPath path = x.request().target().path();
        int prefix = x.route().prefixLength();
        String below =
                prefix == 0 ? path.text() : path.text().substring(x.route().prefix().length());
        @Nullable Representation page = byPath.get(below);
        if (page != null) {
            responder.answer(EngineExchange.of(x), page); // in memory, so always
        } else if (below.isEmpty() && byPath.containsKey("/")) {
            Redirects.toFolder(x);
        } else {
            x.pass();
        }
    }
}
