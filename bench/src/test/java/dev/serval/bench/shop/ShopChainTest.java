package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.serval.bench.scenario.ShopCell;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ShopChainTest {
    private static final int STEPS = 400_000;

    @ParameterizedTest
    @EnumSource
    void stationarySharesAreThePublishedOnes(ShopCell.Mix mix) {
        ShopChain chain = ShopChain.of(mix);
        for (Interaction to : Interaction.values()) {
            double flow = 0;
            for (Interaction from : Interaction.values()) {
                flow += from.share(mix) * chain.probability(from, to);
            }
            assertThat(flow).as(to.word()).isCloseTo(to.share(mix), within(1e-6));
        }
    }

    @ParameterizedTest
    @EnumSource
    void visitorsGoOnlyWhereAPageLeads(ShopCell.Mix mix) {
        ShopChain chain = ShopChain.of(mix);
        for (Interaction from : Interaction.values()) {
            double sum = 0;
            for (Interaction to : Interaction.values()) {
                double probability = chain.probability(from, to);
                assertThat(probability > 0).as(from + " to " + to).isEqualTo(from.leadsTo(to));
                sum += probability;
            }
            assertThat(sum).isCloseTo(1, within(1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource
    void visitorsComeToEveryPageAsOftenAsPublished(ShopCell.Mix mix) {
        ShopChain chain = ShopChain.of(mix);
        SplittableRandom random = new SplittableRandom(7);
        Map<Interaction, Integer> counts = new EnumMap<>(Interaction.class);
        Interaction at = Interaction.HOME;
        for (int i = 0; i < STEPS; i++) {
            at = chain.after(at, random);
            counts.merge(at, 1, Integer::sum);
        }
        for (Interaction one : Interaction.values()) {
            assertThat(100.0 * counts.getOrDefault(one, 0) / STEPS)
                    .as(one.word())
                    .isCloseTo(one.share(mix), within(0.4));
        }
    }

    /// Without this, a visitor would buy an empty cart.
    @ParameterizedTest
    @EnumSource
    void cartIsReachedOnlyWithABook(ShopCell.Mix mix) {
        Set<Interaction> before = EnumSet.noneOf(Interaction.class);
        ShopChain chain = ShopChain.of(mix);
        for (Interaction from : Interaction.values()) {
            if (chain.probability(from, Interaction.SHOPPING_CART) > 0) {
                before.add(from);
            }
        }
        assertThat(before)
                .containsExactlyInAnyOrder(
                        Interaction.PRODUCT_DETAIL,
                        Interaction.SHOPPING_CART,
                        Interaction.CUSTOMER_REGISTRATION,
                        Interaction.BUY_REQUEST);
    }
}
