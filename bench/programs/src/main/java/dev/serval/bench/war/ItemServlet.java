package dev.serval.bench.war;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Answers with the JSON of a new object, or of a random row of a database, if there is one.
@WebServlet("/item")
public final class ItemServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private transient Optional<Items> items = Optional.empty();

    @Override
    public void init() {
        items = Optional.ofNullable(System.getProperty(Item.DATABASE)).map(Items::new);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        int id = Item.FIRST + ThreadLocalRandom.current().nextInt(Item.COUNT);
        byte[] json;
        try {
            json = Items.json(items.isEmpty() ? Item.of(id) : items.get().read(id));
        } catch (SQLException e) {
            throw new ServletException(e);
        }
        response.setContentType("application/json");
        response.setContentLength(json.length);
        response.getOutputStream().write(json);
    }

    @Override
    public void destroy() {
        items.ifPresent(Items::close);
    }
}
