package dev.serval.bench.shop;

import dev.serval.bench.peer.Postgres;
import dev.serval.bench.scenario.ShopCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// The shop's database of a cell. It is made once and copied before each server, so that every server
/// begins with the same rows. Used by the thread of the run.
sealed interface ShopStore extends AutoCloseable {
    /// Of new passwords, instead of the shop's 600,000: hashes are not what is compared.
    int HASH_ROUNDS = 1000;

    /// Makes the database of a cell.
    static ShopStore make(
            ShopCell.Store kind, ShopWar war, ShopCell.Extent extent, Path folder, String name)
            throws IOException {
        return switch (kind) {
            case POSTGRESQL -> OfPostgres.make(war, extent);
            case H2 -> OfH2.make(war, extent, Files.createDirectories(folder.resolve(name)));
        };
    }

    /// Makes a fresh copy of the database in place of the former one, which no server may use now.
    ///
    /// @return its JDBC address
    String restore() throws IOException;

    /// Returns the process of the database, or -1 if it has none of its own.
    long pid();

    /// Ends the database and deletes its rows.
    @Override
    void close();

    /// A database of PostgreSQL, on the client's CPUs.
    record OfPostgres(Postgres server) implements ShopStore {
        private static final String MADE = "shop_made";
        private static final String USED = "shop_used";

        private static ShopStore make(ShopWar war, ShopCell.Extent extent) throws IOException {
            Postgres server = Postgres.start();
            try {
                server.run("CREATE DATABASE " + MADE);
                String url = server.address(MADE);
                war.create(url, extent.books(), extent.customers(), HASH_ROUNDS);
                server.tidy(MADE); // otherwise the plans of the first web server are worse
                return new OfPostgres(server);
            } catch (IOException | RuntimeException | Error e) {
                server.close();
                throw e;
            }
        }

        @Override
        public String restore() throws IOException {
            server.run("DROP DATABASE IF EXISTS " + USED + " WITH (FORCE)");
            server.run("CREATE DATABASE " + USED + " TEMPLATE " + MADE);
            server.run("CHECKPOINT");
            return server.address(USED);
        }

        @Override
        public long pid() {
            return server.pid();
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /// A database of H2 in a file, which the web server's process opens.
    record OfH2(Path folder) implements ShopStore {
        private static final String ENDING = ".mv.db";

        private static ShopStore make(ShopWar war, ShopCell.Extent extent, Path folder) {
            OfH2 made = new OfH2(folder);
            war.create(made.url("made"), extent.books(), extent.customers(), HASH_ROUNDS);
            return made;
        }

        private String url(String name) {
            return "jdbc:h2:file:" + folder.resolve(name).toAbsolutePath();
        }

        @Override
        public String restore() throws IOException {
            Files.copy(
                    folder.resolve("made" + ENDING),
                    folder.resolve("used" + ENDING),
                    StandardCopyOption.REPLACE_EXISTING);
            return url("used");
        }

        @Override
        public long pid() {
            return -1;
        }

        @Override
        public void close() {
            // The folder is the stage's, which deletes it.
        }
    }
}
