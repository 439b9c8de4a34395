package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.testkit.database.PostgresServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The example shop on Serval with PostgreSQL, by one setting.
@Tag("long")
@Timeout(300)
final class ShopPostgresTest {
    @TempDir Path folder;

    @Test
    void shopSellsFromPostgres() throws Exception {
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.NEEDED);
        try (PostgresServer postgres = PostgresServer.start()) {
            Shop shop = new Shop(folder, postgres.url());
            Map<String, String> form;
            try (AppServer server = shop.start();
                    Shopper ann = new Shopper(server.at(""));
                    Shopper bob = new Shopper(server.at(""))) {
                for (String page :
                        List.of("", "new?subject=Cooking", "best", "book?id=3", "cover/3-0.svg")) {
                    assertThat(ann.get(page).statusCode()).as(page).isEqualTo(200);
                }
                assertThat(ann.get("results?by=author&q=a").body()).contains("book?id=");
                ann.becomesACustomerAndBuys("ann", 3);
                bob.add(3);
                form = Shopper.paying(bob.signIn(2));
                shop.update("UPDATE book SET received = received - stock, stock = 0 WHERE id = 3");
                assertThat(bob.post("buy", form).body()).contains("only 0 copies of");
                shop.update("UPDATE book SET received = received + 1, stock = 1 WHERE id = 3");
                HttpResponse<String> order = bob.post("buy", form);
                assertThat(order.body()).contains("Thank you!");
                assertThat(bob.post("buy", form).uri().getPath()).endsWith("/order");
            }
            assertThat(shop.number("SELECT stock FROM book WHERE id = 3")).isZero();
            assertThat(shop.number("SELECT COUNT(*) FROM customer WHERE user_name = 'ann'"))
                    .isOne();
            assertThat(shop.check()).contains("agree");
            try (AppServer server = shop.start();
                    Shopper ann = new Shopper(server.at(""))) {
                ann.signIn(2);
                assertThat(ann.get("order").body()).contains("number ending in 9010");
            }
        }
    }
}
