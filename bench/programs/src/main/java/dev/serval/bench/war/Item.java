package dev.serval.bench.war;

/// A row of the table that [ItemServlet] reads. All ids and prices have as many digits, so that all
/// answers have the same length.
public record Item(int id, String name, int price) {
    /// The first id.
    public static final int FIRST = 10_000;

    /// The system property that has the JDBC address of the database.
    public static final String DATABASE = "dev.serval.bench.database";

    /// Creates the table with [#COUNT] rows, which are those of [#of].
    public static final String TABLE =
            """
            CREATE TABLE item (id integer PRIMARY KEY, name text NOT NULL, price integer NOT NULL);
            INSERT INTO item SELECT id, 'item ' || id, 1000 + id % 9000
                FROM generate_series(10000, 19999) AS id;
            ANALYZE item;
            """;

    /// The number of rows.
    static final int COUNT = 10_000;

    /// Returns the row of an id.
    public static Item of(int id) {
        return new Item(id, "item " + id, 1000 + id % 9000);
    }

    /// Returns the JSON that is expected.
    public String json() {
        return "{\"id\":%d,\"name\":\"%s\",\"price\":%d}".formatted(id, name, price);
    }
}
