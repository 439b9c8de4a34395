package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

/// Prints the table of [RowsServlet] by itself, byte for byte as its page does.
@WebServlet("/table")
public final class TableServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int MANY = 5;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType("text/html;charset=UTF-8");
        PrintWriter out = response.getWriter();
        out.print("<!DOCTYPE html>\n<html><head><title>Stock</title></head><body><table>\n");
        for (Row row : RowsServlet.rows()) {
            out.print("<tr><td>");
            out.print(row.getNumber());
            out.print("</td><td>");
            out.print(row.getName());
            out.print("</td><td>");
            out.print(row.getPrice());
            out.print("</td><td>");
            out.print(row.getPrice() * row.getCount());
            out.print("</td><td>");
            out.print(row.getCount() > MANY ? "many" : "few");
            out.print("</td></tr>\n");
        }
        out.print("</table></body></html>\n");
    }
}
