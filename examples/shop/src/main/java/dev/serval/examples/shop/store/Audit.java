package dev.serval.examples.shop.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Checks that purchases, stock and payments agree. The schema itself refuses a negative stock and a
/// payment without a purchase. The check reads all rows, so it is for the end of a run. Purchases that
/// happen meanwhile may look like faults.
public final class Audit {
    /// How many of the faulty rows a message names.
    private static final int NAMED = 5;

    /// A query for the numbers of faulty rows, by what they are.
    private static final Map<String, String> RULES = rules();

    private Audit() {}

    private static Map<String, String> rules() {
        Map<String, String> rules = new LinkedHashMap<>();
        rules.put(
                "books whose copies in stock and copies sold are not those received",
                "SELECT b.id FROM book b LEFT JOIN"
                        + " (SELECT book, SUM(quantity) AS sold FROM purchase_line GROUP BY book) l"
                        + " ON l.book = b.id WHERE b.received <> b.stock + COALESCE(l.sold, 0)");
        rules.put(
                "purchases whose lines do not add up to the subtotal",
                "SELECT p.id FROM purchase p LEFT JOIN (SELECT purchase, SUM(quantity * cents) AS sum"
                        + " FROM purchase_line GROUP BY purchase) l ON l.purchase = p.id"
                        + " WHERE p.subtotal <> COALESCE(l.sum, -1)");
        rules.put(
                "purchases whose subtotal and shipping are not the total",
                "SELECT id FROM purchase WHERE total <> subtotal + shipping");
        rules.put(
                "purchases without a payment of the total",
                "SELECT p.id FROM purchase p LEFT JOIN payment y ON y.purchase = p.id"
                        + " WHERE y.cents IS NULL OR y.cents <> p.total");
        return rules;
    }

    /// Returns a message for each rule that does not hold, and none if all sums agree.
    public static List<String> faults(Connection connection) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (Map.Entry<String, String> rule : RULES.entrySet()) {
            List<String> wrong = numbers(connection, rule.getValue());
            if (!wrong.isEmpty()) {
                List<String> named = wrong.subList(0, Math.min(NAMED, wrong.size()));
                faults.add(
                        wrong.size()
                                + " "
                                + rule.getKey()
                                + ": "
                                + String.join(", ", named)
                                + (wrong.size() > NAMED ? ", …" : ""));
            }
        }
        return faults;
    }

    private static List<String> numbers(Connection connection, String query) throws SQLException {
        List<String> numbers = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                numbers.add(rows.getString(1));
            }
        }
        return numbers;
    }
}
