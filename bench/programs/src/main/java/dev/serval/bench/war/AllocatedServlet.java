package dev.serval.bench.war;

import com.sun.management.ThreadMXBean;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/// Answers with the number of bytes that all threads of the process have allocated since its start.
/// The JVM counts them, so the number is exact and the same for every container.
@WebServlet("/allocated")
public final class AllocatedServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] text =
                String.valueOf(threads.getTotalThreadAllocatedBytes())
                        .getBytes(StandardCharsets.US_ASCII);
        response.setContentType("text/plain");
        response.setContentLength(text.length);
        response.getOutputStream().write(text);
    }
}
