package dev.serval.soak.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;

/// Reads and writes long contents with streams that block: `/stream/send/SEED`, `/stream/echo` and
/// `/stream/sum`.
@WebServlet("/stream/*")
public final class StreamServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int PIECE_BYTES = 7001;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        byte[] content = Pattern.stream(Asked.seed(request));
        if (content.length % 2 == 0) {
            response.setContentLength(content.length);
        }
        PageServlet.pieces(response.getOutputStream(), content, PIECE_BYTES);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (Asked.way(request).equals("sum")) {
            long sum = sum(request.getInputStream());
            response.getOutputStream().write(Pattern.receipt(sum));
            return;
        }
        if (request.getContentLengthLong() >= 0) {
            response.setContentLengthLong(request.getContentLengthLong());
        }
        request.getInputStream().transferTo(response.getOutputStream());
    }

    static long sum(InputStream in) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[PIECE_BYTES];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            crc.update(piece, 0, n);
        }
        return crc.getValue();
    }
}
