package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Answers with 13 bytes, also to the dispatch of [AsyncServlet].
@WebServlet(urlPatterns = "/hello", asyncSupported = true)
public final class HelloServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain");
        response.getOutputStream().write(HELLO);
    }
}
