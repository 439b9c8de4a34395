package dev.serval.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsTest {
    private static Settings read(Map<String, String> values) {
        return Settings.read(values::get);
    }

    @Test
    void defaultsAreASmallShop() {
        Settings settings = read(Map.of());
        assertThat(settings.database())
                .startsWith("jdbc:h2:file:/")
                .endsWith("/serval-shop/shop;AUTO_SERVER=TRUE");
        assertThat(settings.books()).isEqualTo(1_000);
        assertThat(settings.customers()).isEqualTo(10_000);
        assertThat(settings.rounds()).isEqualTo(600_000);
        assertThat(settings.restock()).isEqualTo(21);
        assertThat(settings.work()).isZero();
        assertThat(settings.clerk()).isEmpty();
    }

    @Test
    void everyValueCanBeSet() {
        Settings settings =
                read(
                        Map.of(
                                "shop.database", "jdbc:postgresql://db/shop",
                                "shop.user", "ann",
                                "shop.password", "geheim",
                                "shop.books", "10000",
                                "shop.connections", "8",
                                "shop.rounds", "1000",
                                "shop.restock", "0",
                                "shop.work", "3",
                                "shop.clerk", "c"));
        assertThat(settings)
                .isEqualTo(
                        new Settings(
                                "jdbc:postgresql://db/shop",
                                "ann",
                                "geheim",
                                10_000,
                                100_000,
                                8,
                                1_000,
                                0,
                                3,
                                "c"));
        assertThat(read(Map.of("shop.customers", "7")).customers()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"many", "9", "-1", "10000001", "1e3"})
    void numberOutOfItsRangeIsRefusedByName(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(Map.of("shop.books", value)))
                .withMessage(
                        "shop.books (or SHOP_BOOKS) is \"%s\". Give it a number from 10 to 10000000.",
                        value);
    }

    @Test
    void limitsThemselvesAreAccepted() {
        assertThat(read(Map.of("shop.books", "10", "shop.customers", "1")).books()).isEqualTo(10);
        assertThat(read(Map.of("shop.customers", "10000000")).customers()).isEqualTo(10_000_000);
    }
}
