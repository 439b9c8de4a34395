package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.bench.peer.Postgres;
import dev.serval.bench.scenario.ShopCell;
import dev.serval.testkit.database.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
final class ShopStoreTest {
    private static final Path WAR = Path.of("..").resolve(ShopWar.BUILT);

    @TempDir Path folder;

    private static void run(String url, String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private static int count(String url, String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }

    /// Makes a database with one order in place of the shop's.
    private static void make(String url) throws SQLException {
        run(url, "CREATE TABLE orders (id INT)");
        run(url, "INSERT INTO orders VALUES (1)");
    }

    private static void eachServerBeginsWithTheSameRows(ShopStore store)
            throws IOException, SQLException {
        String first = store.restore();
        assertThat(count(first, "orders")).isEqualTo(1);
        run(first, "INSERT INTO orders VALUES (2)");
        run(first, "CREATE TABLE more (id INT)");
        String second = store.restore();
        assertThat(second).isEqualTo(first);
        assertThat(count(second, "orders")).isEqualTo(1);
        run(second, "CREATE TABLE more (id INT)"); // there is none
    }

    @Test
    void copyOfH2HasTheRowsOfTheBeginning() throws IOException, SQLException {
        make("jdbc:h2:file:" + folder.resolve("made").toAbsolutePath());
        try (ShopStore store = new ShopStore.OfH2(folder)) {
            eachServerBeginsWithTheSameRows(store);
            assertThat(store.pid()).isEqualTo(-1);
        }
    }

    @Test
    void copyOfPostgresHasTheRowsOfTheBeginning() throws IOException, SQLException {
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.NEEDED);
        Postgres server = Postgres.start();
        try (ShopStore store = new ShopStore.OfPostgres(server)) { // which closes the server
            server.run("CREATE DATABASE shop_made");
            make(server.address("shop_made"));
            eachServerBeginsWithTheSameRows(store);
            assertThat(store.pid()).isEqualTo(server.pid());
        }
    }

    /// A server that was killed may have left its connections.
    @Test
    void copyOfPostgresReplacesOneThatIsConnected() throws IOException, SQLException {
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.NEEDED);
        try (Postgres server = Postgres.start()) {
            server.run("CREATE DATABASE shop_made");
            ShopStore store = new ShopStore.OfPostgres(server);
            String url = store.restore();
            try (Connection left = DriverManager.getConnection(url)) {
                assertThat(store.restore()).isEqualTo(url);
                assertThat(left.isValid(10)).isFalse();
            }
        }
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(ShopCell.Store.class)
    void madeDatabaseHasTheExtentOfTheCell(ShopCell.Store kind) throws IOException, SQLException {
        assumeThat(WAR).as("needs the example shop: mvn package").isRegularFile();
        assumeTrue(
                kind == ShopCell.Store.H2 || PostgresServer.isInstalled(), PostgresServer.NEEDED);
        ShopWar war = ShopWar.unpack(WAR, folder.resolve("war"));
        ShopCell.Extent extent = new ShopCell.Extent(20, 30, 1, 0, 1, 0);
        try (ShopStore store = ShopStore.make(kind, war, extent, folder, "rows")) {
            String url = store.restore();
            assertThat(count(url, "book")).isEqualTo(20);
            assertThat(count(url, "customer")).isEqualTo(30);
            war.check(url);
        }
    }
}
