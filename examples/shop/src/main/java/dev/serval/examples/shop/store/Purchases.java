package dev.serval.examples.shop.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sells books. A purchase is one transaction, so it happens as a whole or not at all:
///
/// 1. It takes the copies out of stock, by an update that changes no row if there are too few. So of
///    two who want the last copy, the second waits for the first and then gets nothing.
/// 2. It reads the prices of these rows, which nobody can change now, and compares the sum with the
///    one that the customer has seen.
/// 3. It writes purchase, lines and payment.
///
/// Books are always taken in the order of their numbers, so that two purchases cannot wait for each
/// other. May be used by any thread.
public final class Purchases {
    private static final int RESTOCK_BELOW = 10;
    private static final int RECEIPTS_MAX = 20;

    private final Database database;
    private final Clock clock;
    private final int restock;

    /// A line with the price of a copy.
    private record Priced(Line line, long cents) {}

    /// @param restock so many new copies come when fewer than ten are left; 0 for never
    public Purchases(Database database, Clock clock, int restock) {
        this.database = database;
        this.clock = clock;
        this.restock = restock;
    }

    /// Buys what a basket has. If its ticket has bought before, buys nothing, and returns that
    /// purchase if it has the same books.
    public Outcome buy(Basket basket) {
        return database.change(connection -> {
            Integer before = byTicket(connection, basket.customer(), basket.ticket());
            if (before != null) {
                return repeated(connection, basket, before);
            }
            try {
                return bought(connection, basket);
            } catch (SQLException e) {
                connection.rollback();
                Integer meanwhile =
                        Database.isTaken(e)
                                ? byTicket(connection, basket.customer(), basket.ticket())
                                : null;
                if (meanwhile == null) {
                    throw e;
                }
                return repeated(connection, basket, meanwhile);
            }
        });
    }

    /// Returns how a basket ends whose ticket has bought. The books of another basket are still to be
    /// bought.
    private static Outcome repeated(Connection connection, Basket basket, int purchase)
            throws SQLException {
        List<Line> before =
                items(connection, purchase).stream()
                        .map(item -> new Line(item.book(), item.quantity()))
                        .toList();
        return before.equals(inOrder(basket))
                ? new Outcome.Bought(purchase)
                : new Outcome.Used(purchase);
    }

    /// Returns the lines of a basket by the numbers of their books.
    private static List<Line> inOrder(Basket basket) {
        return basket.lines().stream().sorted(Comparator.comparingInt(Line::book)).toList();
    }

    /// Returns the number of the purchase that a customer has made with a ticket, or null.
    public @Nullable Integer byTicket(int customer, String ticket) {
        return database.<@Nullable Integer>read(
                connection -> byTicket(connection, customer, ticket));
    }

    private static @Nullable Integer byTicket(Connection connection, int customer, String ticket)
            throws SQLException {
        String query = "SELECT id FROM purchase WHERE ticket = ? AND customer = ?";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, ticket);
            statement.setInt(2, customer);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getInt(1) : null;
            }
        }
    }

    private Outcome bought(Connection connection, Basket basket) throws SQLException {
        List<Priced> taken = new ArrayList<>();
        long subtotal = 0;
        int copies = 0;
        for (Line line : inOrder(basket)) {
            if (!take(connection, line)) {
                connection.rollback();
                return new Outcome.SoldOut(line.book(), stock(connection, line.book()));
            }
            Priced priced = new Priced(line, price(connection, line.book()));
            taken.add(priced);
            subtotal += priced.cents * line.quantity();
            copies += line.quantity();
        }
        long shipping = Shipping.cents(copies);
        if (subtotal + shipping != basket.total()) {
            connection.rollback();
            return new Outcome.Repriced();
        }
        int purchase = write(connection, basket, subtotal, shipping);
        writeLines(connection, purchase, taken);
        pay(connection, purchase, basket);
        return new Outcome.Bought(purchase);
    }

    /// Takes copies out of stock, and has new ones come if few are left.
    ///
    /// @return false if there are too few
    private boolean take(Connection connection, Line line) throws SQLException {
        String update =
                "UPDATE book SET"
                        + " received = received + CASE WHEN stock - ? < ? THEN ? ELSE 0 END,"
                        + " stock = stock - ? + CASE WHEN stock - ? < ? THEN ? ELSE 0 END"
                        + " WHERE id = ? AND stock >= ?";
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setInt(1, line.quantity());
            statement.setInt(2, RESTOCK_BELOW);
            statement.setInt(3, restock);
            statement.setInt(4, line.quantity());
            statement.setInt(5, line.quantity());
            statement.setInt(6, RESTOCK_BELOW);
            statement.setInt(7, restock);
            statement.setInt(8, line.book());
            statement.setInt(9, line.quantity());
            return statement.executeUpdate() == 1;
        }
    }

    private static long price(Connection connection, int book) throws SQLException {
        return number(connection, "SELECT cents FROM book WHERE id = ?", book);
    }

    private static int stock(Connection connection, int book) throws SQLException {
        return (int) number(connection, "SELECT stock FROM book WHERE id = ?", book);
    }

    /// Returns the number that a query finds, or 0.
    private static long number(Connection connection, String query, int book) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setInt(1, book);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    private int write(Connection connection, Basket basket, long subtotal, long shipping)
            throws SQLException {
        String insert =
                "INSERT INTO purchase (ticket, customer, placed, subtotal, shipping, total,"
                        + " recipient, street, town, postcode, country)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        try (PreparedStatement statement =
                connection.prepareStatement(insert, new String[] {"id"})) {
            Address to = basket.to();
            statement.setString(1, basket.ticket());
            statement.setInt(2, basket.customer());
            statement.setObject(
                    3,
                    LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC)
                            .truncatedTo(ChronoUnit.SECONDS));
            statement.setLong(4, subtotal);
            statement.setLong(5, shipping);
            statement.setLong(6, subtotal + shipping);
            statement.setString(7, to.recipient());
            statement.setString(8, to.street());
            statement.setString(9, to.town());
            statement.setString(10, to.postcode());
            statement.setString(11, to.country());
            statement.executeUpdate();
            return Customers.newId(statement);
        }
    }

    private static void writeLines(Connection connection, int purchase, List<Priced> lines)
            throws SQLException {
        String insert =
                "INSERT INTO purchase_line (purchase, place, book, quantity, cents)"
                        + " VALUES (?, ?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            for (int i = 0; i < lines.size(); i++) {
                Priced each = lines.get(i);
                statement.setInt(1, purchase);
                statement.setInt(2, i);
                statement.setInt(3, each.line.book());
                statement.setInt(4, each.line.quantity());
                statement.setLong(5, each.cents);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static void pay(Connection connection, int purchase, Basket basket)
            throws SQLException {
        String insert =
                "INSERT INTO payment (purchase, cents, card, last_digits) VALUES (?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setInt(1, purchase);
            statement.setLong(2, basket.total());
            statement.setString(3, basket.pay().kind());
            statement.setString(4, basket.pay().lastDigits());
            statement.executeUpdate();
        }
    }

    /// Returns a purchase of a customer, or null if the customer has none with that number.
    public @Nullable Purchase of(int customer, int id) {
        return database.<@Nullable Purchase>read(connection -> {
            String query =
                    "SELECT p.placed, p.subtotal, p.shipping, p.total, p.recipient, p.street,"
                            + " p.town, p.postcode, p.country, y.card, y.last_digits"
                            + " FROM purchase p JOIN payment y ON y.purchase = p.id"
                            + " WHERE p.id = ? AND p.customer = ?";
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                statement.setInt(1, id);
                statement.setInt(2, customer);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? purchase(id, row, items(connection, id)) : null;
                }
            }
        });
    }

    private static Purchase purchase(int id, ResultSet row, List<Purchase.Item> items)
            throws SQLException {
        return new Purchase(
                id,
                row.getObject(1, LocalDateTime.class),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                new Address(
                        row.getString(5),
                        row.getString(6),
                        row.getString(7),
                        row.getString(8),
                        row.getString(9)),
                row.getString(10),
                row.getString(11),
                items);
    }

    private static List<Purchase.Item> items(Connection connection, int id) throws SQLException {
        String query =
                "SELECT b.id, b.title, a.name, b.cover, l.quantity, l.cents FROM purchase_line l"
                        + " JOIN book b ON b.id = l.book JOIN author a ON a.id = b.author"
                        + " WHERE l.purchase = ? ORDER BY l.place";
        List<Purchase.Item> items = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    items.add(
                            new Purchase.Item(
                                    rows.getInt(1),
                                    rows.getString(2),
                                    rows.getString(3),
                                    rows.getInt(4),
                                    rows.getInt(5),
                                    rows.getLong(6)));
                }
            }
        }
        return items;
    }

    /// Returns the last purchases of a customer, the newest first.
    public List<Receipt> of(int customer) {
        return database.read(connection -> {
            String query =
                    "SELECT p.id, p.placed, p.total,"
                            + " (SELECT SUM(l.quantity) FROM purchase_line l WHERE l.purchase = p.id)"
                            + " FROM purchase p WHERE p.customer = ? ORDER BY p.id DESC LIMIT ?";
            List<Receipt> receipts = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                statement.setInt(1, customer);
                statement.setInt(2, RECEIPTS_MAX);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        receipts.add(
                                new Receipt(
                                        rows.getInt(1),
                                        rows.getObject(2, LocalDateTime.class),
                                        rows.getLong(3),
                                        rows.getInt(4)));
                    }
                }
            }
            return receipts;
        });
    }

    /// Returns the number of a customer's last purchase, or null if there is none.
    public @Nullable Integer last(int customer) {
        return database.<@Nullable Integer>read(connection -> {
            String query = "SELECT id FROM purchase WHERE customer = ? ORDER BY id DESC LIMIT 1";
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                statement.setInt(1, customer);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? row.getInt(1) : null;
                }
            }
        });
    }
}
