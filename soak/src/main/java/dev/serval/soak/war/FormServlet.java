package dev.serval.soak.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/// Answers with every parameter of query and form, sorted by name.
@WebServlet("/form")
public final class FormServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String[]> one :
                new TreeMap<>(request.getParameterMap()).entrySet()) {
            text.append(one.getKey()).append('=').append(Arrays.toString(one.getValue()));
        }
        response.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
