package dev.serval.soak.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Answers with a page, in one of four ways. Some pages take a few milliseconds.
@WebServlet(name = "page", urlPatterns = "/page/*", asyncSupported = true)
public final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final long SPIN_NANOS = 2_000_000;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long seed = Asked.seed(request);
        work(seed);
        byte[] page = Pattern.page(seed);
        switch ((int) (seed % 4)) {
            case 0 -> {
                response.setContentLength(page.length);
                response.getOutputStream().write(page);
            }
            case 1 -> pieces(response.getOutputStream(), page, 700);
            case 2 -> {
                response.setContentType("text/plain;charset=ISO-8859-1");
                response.getWriter().write(new String(page, StandardCharsets.ISO_8859_1));
            }
            default -> {
                response.flushBuffer();
                pieces(response.getOutputStream(), page, 3000);
            }
        }
    }

    private static void work(long seed) throws IOException {
        try {
            if (seed % 61 == 0) {
                long start = System.nanoTime();
                while (System.nanoTime() - start < SPIN_NANOS) {
                    Thread.onSpinWait();
                }
            } else if (seed % 17 == 0) {
                Thread.sleep(seed % 20);
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    static void pieces(OutputStream out, byte[] content, int piece) throws IOException {
        for (int at = 0; at < content.length; at += piece) {
            out.write(content, at, Math.min(piece, content.length - at));
        }
    }
}
