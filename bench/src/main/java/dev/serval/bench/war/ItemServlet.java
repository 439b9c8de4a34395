package dev.serval.bench.war;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/// Reads a random row of a database by its primary key, and answers with its JSON.
@WebServlet("/item")
public final class ItemServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// The [Items]. Its class is not named here, because its jars are not in every application.
    private transient AutoCloseable items = () -> {};

    @Override
    public void init() throws ServletException {
        String address = System.getProperty(Item.DATABASE);
        if (address == null) {
            throw new ServletException("the system property " + Item.DATABASE + " is not set");
        }
        items = new Items(address);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        int id = Item.FIRST + ThreadLocalRandom.current().nextInt(Item.COUNT);
        byte[] json;
        try {
            json = ((Items) items).json(id);
        } catch (SQLException e) {
            throw new ServletException(e);
        }
        response.setContentType("application/json");
        response.setContentLength(json.length);
        response.getOutputStream().write(json);
    }

    @Override
    public void destroy() {
        try {
            items.close();
        } catch (Exception e) {
            getServletContext().log("the pool does not close", e);
        }
    }
}
