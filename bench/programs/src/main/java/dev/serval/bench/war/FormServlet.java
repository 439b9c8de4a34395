package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/// Reads every parameter, and answers with their number and the length of their names and values.
@WebServlet("/form")
public final class FormServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        int count = 0;
        int length = 0;
        for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
            for (String value : parameter.getValue()) {
                count++;
                length += parameter.getKey().length() + value.length();
            }
        }
        response.setContentType("text/plain");
        response.getOutputStream().print(count + " parameters, " + length + " characters");
    }
}
