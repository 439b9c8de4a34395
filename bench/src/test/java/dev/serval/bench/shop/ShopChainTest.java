package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.ShopCell;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ShopChainTest {
    private static final int STEPS = 400_000;
    private static final int STEPS_MAX = 200;
    private static final int PIECES = 10;

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

    /// All users begin at the home page, so they must think often enough before a trial begins.
    @Test
    void usersDoInATrialWhatIsPublished() throws IOException {
        for (Cell one : Scenario.named("shop").cells()) {
            ShopCell cell = (ShopCell) one;
            ShopChain chain = ShopChain.of(cell.mix());
            for (ShopCell.Extent extent : List.of(cell.usual(), cell.paper())) {
                Map<Interaction, Double> shares = new EnumMap<>(Interaction.class);
                for (int piece = 0; piece < PIECES; piece++) {
                    double seconds = Math.min(30, extent.seconds()) * (piece + 0.5) / PIECES;
                    double thoughts = (extent.warmUpSeconds() + seconds) / cell.thinkSeconds();
                    after(thoughts, chain)
                            .forEach((what, share) ->
                                    shares.merge(what, share / PIECES, Double::sum));
                }
                shares.forEach((what, share) ->
                        assertThat(share * Interaction.sum(cell.mix()) / what.share(cell.mix()))
                                .as(cell.name() + ", " + what.word())
                                .isCloseTo(1, within(0.04)));
            }
        }
    }

    /// Returns the shares of what users do next after so many thoughts on average, of exponential
    /// lengths: their number has the distribution of Poisson.
    private static Map<Interaction, Double> after(double thoughts, ShopChain chain) {
        Map<Interaction, Double> now = Map.of(Interaction.HOME, 1.0);
        Map<Interaction, Double> shares = new EnumMap<>(Interaction.class);
        double weight = Math.exp(-thoughts);
        for (int number = 1; number < STEPS_MAX; number++) {
            Map<Interaction, Double> next = new EnumMap<>(Interaction.class);
            now.forEach((from, share) -> {
                for (Interaction to : Interaction.values()) {
                    next.merge(to, share * chain.probability(from, to), Double::sum);
                }
            });
            now = next;
            double likely = weight;
            now.forEach((to, share) -> shares.merge(to, likely * share, Double::sum));
            weight *= thoughts / number;
        }
        return shares;
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
