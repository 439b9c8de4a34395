package dev.serval.examples.shop;

import dev.serval.examples.shop.cover.Covers;
import dev.serval.examples.shop.sample.Sample;
import dev.serval.examples.shop.store.Catalogue;
import dev.serval.examples.shop.store.Customers;
import dev.serval.examples.shop.store.Database;
import dev.serval.examples.shop.store.Guesses;
import dev.serval.examples.shop.store.PasswordHash;
import dev.serval.examples.shop.store.Purchases;
import dev.serval.examples.shop.store.Schema;
import jakarta.servlet.ServletContext;
import java.time.Clock;

/// The running shop: what its pages use. Made at the start of the application, immutable, and used by
/// all threads.
public final class Shop implements AutoCloseable {
    static final String ATTRIBUTE = "dev.serval.examples.shop";

    /// A small cover has about 1 KB, a large one 1 to 11 KB.
    private static final int SMALL_COVERS = 16_384;

    private static final int LARGE_COVERS = 2_048;

    private final Database database;
    private final Catalogue catalogue;
    private final Customers customers;
    private final Purchases purchases;
    private final Guesses guesses = new Guesses(System::nanoTime);
    private final Covers smallCovers = new Covers(SMALL_COVERS);
    private final Covers largeCovers = new Covers(LARGE_COVERS);
    private final Work work;
    private final String clerk;
    private final int books;
    private final boolean filled;
    private final String identity;

    private Shop(Database database, Settings settings) {
        PasswordHash hash = new PasswordHash(settings.rounds());
        this.database = database;
        this.filled = new Sample(settings.books(), settings.customers(), hash).fill(database);
        this.catalogue = new Catalogue(database, System::nanoTime);
        this.customers = new Customers(database, hash);
        this.purchases = new Purchases(database, Clock.systemUTC(), settings.restock());
        this.work = new Work(settings.work());
        this.clerk = settings.clerk();
        this.books = catalogue.size();
        this.identity = database.read(Schema::identity);
    }

    /// Opens the database, and fills it if it is new.
    static Shop open(Settings settings) {
        Database database =
                Database.open(
                        settings.database(),
                        settings.user(),
                        settings.password(),
                        settings.connections());
        try {
            return new Shop(database, settings);
        } catch (RuntimeException | Error e) {
            database.close();
            throw e;
        }
    }

    /// Returns the shop of an application.
    public static Shop of(ServletContext context) {
        if (context.getAttribute(ATTRIBUTE) instanceof Shop shop) {
            return shop;
        }
        throw new IllegalStateException("The shop was not started: ShopStart must be a listener");
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    public Customers customers() {
        return customers;
    }

    public Purchases purchases() {
        return purchases;
    }

    /// Returns what every check of a password goes through.
    public Guesses guesses() {
        return guesses;
    }

    /// Returns what tells this database from others. Numbers of books and customers of another one mean
    /// something else here.
    public String identity() {
        return identity;
    }

    /// Returns the kept covers.
    public Covers covers(boolean large) {
        return large ? largeCovers : smallCovers;
    }

    /// Returns the password for changing books, or an empty text if nobody may.
    public String clerk() {
        return clerk;
    }

    /// Returns what each page calculates in addition, which is usually nothing.
    public Work work() {
        return work;
    }

    /// Returns the number of books. Their ids are 1 to this number.
    public int books() {
        return books;
    }

    /// Returns whether the database was new.
    boolean isFilled() {
        return filled;
    }

    /// Closes the connections to the database.
    @Override
    public void close() {
        try (database) {
            database.release();
        }
    }
}
