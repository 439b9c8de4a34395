package dev.serval.examples.shop.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// What a list of books shows of each.
///
/// @param cents the price of a copy
/// @param cover the number of the cover's design
public record BookCard(int id, String title, String author, long cents, int stock, int cover) {
    static final String COLUMNS = "b.id, b.title, a.name, b.cents, b.stock, b.cover";

    static List<BookCard> all(ResultSet rows) throws SQLException {
        List<BookCard> all = new ArrayList<>();
        while (rows.next()) {
            all.add(
                    new BookCard(
                            rows.getInt(1),
                            rows.getString(2),
                            rows.getString(3),
                            rows.getLong(4),
                            rows.getInt(5),
                            rows.getInt(6)));
        }
        return List.copyOf(all);
    }
}
