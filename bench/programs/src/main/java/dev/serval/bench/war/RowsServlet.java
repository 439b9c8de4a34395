package dev.serval.bench.war;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/// Has a page show a table of 100 lines, as applications do it: the servlet sets an attribute and
/// forwards to a JSP.
@WebServlet("/rows")
public final class RowsServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final List<Row> ROWS = IntStream.rangeClosed(1, 100).mapToObj(Row::new).toList();

    /// Returns the lines of the table.
    static List<Row> rows() {
        return ROWS;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute("rows", ROWS);
        request.getRequestDispatcher("/WEB-INF/rows.jsp").forward(request, response);
    }
}
