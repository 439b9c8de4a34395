package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Reads the content of a POST in pieces, and answers its length.
@WebServlet("/upload")
public final class UploadServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int PIECE_BYTES = 16 << 10;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        InputStream content = request.getInputStream();
        int length = 0;
        for (int n = content.read(piece); n >= 0; n = content.read(piece)) {
            length += n;
        }
        byte[] answer = String.valueOf(length).getBytes(StandardCharsets.US_ASCII);
        response.setContentLength(answer.length);
        response.getOutputStream().write(answer);
    }
}
