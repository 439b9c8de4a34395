package dev.serval.soak.war;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;

/// Answers with a line for each part of an upload. Parts above 16 KB are kept in files.
@WebServlet("/parts")
@MultipartConfig(fileSizeThreshold = 16 << 10)
public final class PartsServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        StringBuilder text = new StringBuilder();
        for (Part part : request.getParts()) {
            try (InputStream in = part.getInputStream()) {
                text.append(line(part.getName(), part.getSize(), StreamServlet.sum(in)));
            }
        }
        response.getWriter().print(text);
    }

    private static String line(String name, long size, long sum) {
        return name + " " + size + " " + sum + "\n";
    }
}
