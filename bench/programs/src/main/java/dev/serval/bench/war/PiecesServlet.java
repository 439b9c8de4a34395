package dev.serval.bench.war;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Writes 35 KB in pieces of 2 KB, without a length, as the output of a template engine comes.
@WebServlet("/pieces")
public final class PiecesServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private static final int PIECE_BYTES = 2 << 10;
    private static final byte[] CONTENT = Letters.bytes();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/plain");
        ServletOutputStream out = response.getOutputStream();
        for (int at = 0; at < CONTENT.length; at += PIECE_BYTES) {
            out.write(CONTENT, at, Math.min(PIECE_BYTES, CONTENT.length - at));
        }
    }
}
