package dev.serval.jsp;

import dev.serval.Serval;
import dev.serval.mode.InMode;
import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.WebApp;
import dev.serval.servlet.pages.PageEngine;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A server with one application at the root, for tests.
final class JspServer implements AutoCloseable {
    private final ServletContainer container;
    private final Serval server;

    private JspServer(ServletContainer container, Serval server) {
        this.container = container;
        this.server = server;
    }

    /// Starts a server in production, with a temporary work folder.
    static JspServer start(JspApp app) throws IOException {
        return start(app.root(), ServletContainer.builder(), new JspPages());
    }

    static JspServer development(JspApp app) throws IOException {
        return start(app.root(), ServletContainer.builder().development(), new JspPages());
    }

    static JspServer start(Path app, ServletContainer.Builder builder, @Nullable PageEngine pages)
            throws IOException {
        if (pages != null) {
            builder.pages(pages);
        }
        ServletContainer container = builder.open();
        try {
            WebApp web = WebApp.of("", app).deploy(container);
            Serval.Builder settings = Serval.builder().listen(InMode.listener()).loops(2);
            Serval server = InMode.start(settings.mount("/", web.handlers()));
            return new JspServer(container, server);
        } catch (IOException | RuntimeException | Error e) {
            container.close();
            throw e;
        }
    }

    SocketAddress address() {
        return server.addresses().getFirst();
    }

    RawResponse get(String target, String... fields) {
        StringBuilder lines = new StringBuilder();
        for (String field : fields) {
            lines.append(field).append("\r\n");
        }
        try (RawClient client = RawClient.connect(address())) {
            return client.exchange(
                    "GET " + target + " HTTP/1.1\r\nHost: test\r\n" + lines + "\r\n");
        }
    }

    /// Returns the content of an answer, without white space around it.
    String text(String target) {
        RawResponse answer = get(target);
        if (answer.status() != 200) {
            throw new AssertionError(target + " was answered with " + answer.status());
        }
        return answer.text().strip();
    }

    @Override
    public void close() {
        server.close();
        container.close();
    }
}
