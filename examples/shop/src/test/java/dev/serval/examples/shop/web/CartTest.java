package dev.serval.examples.shop.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.shop.store.Line;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CartTest {
    @Test
    void sameBookIsOneLine() {
        Cart cart = Cart.EMPTY.plus(7).plus(3).plus(7);
        assertThat(cart.lines()).containsExactly(new Line(7, 2), new Line(3, 1));
        assertThat(cart.copies()).isEqualTo(3);
    }

    @Test
    void quantitiesChangeWithinTheirLimits() {
        Cart cart = Cart.EMPTY.plus(7).plus(3);
        assertThat(cart.with(7, 99).lines()).containsExactly(new Line(7, 99), new Line(3, 1));
        assertThat(cart.with(7, 100).lines()).containsExactly(new Line(7, 99), new Line(3, 1));
        assertThat(cart.with(7, 99).plus(7).copies()).isEqualTo(100);
        assertThat(cart.with(7, 0).lines()).containsExactly(new Line(3, 1));
        assertThat(cart.without(3).lines()).containsExactly(new Line(7, 1));
        assertThat(cart.with(8, 5)).isEqualTo(cart);
        assertThat(cart.without(-1)).isEqualTo(cart);
    }

    @Test
    void cartHasRoomForFiftyBooks() {
        Cart cart = Cart.EMPTY;
        for (int book = 1; book <= 50; book++) {
            cart = cart.plus(book);
        }
        assertThat(cart.lines()).hasSize(50);
        assertThat(cart.plus(51)).isEqualTo(cart);
        assertThat(cart.plus(50).copies()).isEqualTo(51);
    }

    @Test
    void linesCannotBeChangedFromOutside() {
        List<Line> lines = new ArrayList<>(List.of(new Line(1, 1)));
        Cart cart = new Cart(lines);
        lines.clear();
        assertThat(cart.copies()).isEqualTo(1);
    }
}
