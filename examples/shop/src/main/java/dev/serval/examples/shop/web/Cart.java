package dev.serval.examples.shop.web;

import dev.serval.examples.shop.store.Line;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// The books that a visitor wants to buy. Immutable.
///
/// @param lines each of another book
public record Cart(List<Line> lines) implements Serializable {
    /// The different books of a cart, and the copies of each.
    static final int LINES_MAX = 50;

    static final int COPIES_MAX = 99;

    static final Cart EMPTY = new Cart(List.of());

    /// Copies the lines.
    public Cart {
        lines = List.copyOf(lines);
    }

    /// Returns this cart with one more copy of a book, unless it has no room.
    Cart plus(int book) {
        for (Line line : lines) {
            if (line.book() == book) {
                return with(book, line.quantity() + 1);
            }
        }
        if (lines.size() == LINES_MAX) {
            return this;
        }
        List<Line> more = new ArrayList<>(lines);
        more.add(new Line(book, 1));
        return new Cart(more);
    }

    /// Returns this cart with so many copies of one of its books. None removes the book.
    Cart with(int book, int quantity) {
        List<Line> changed = new ArrayList<>();
        for (Line line : lines) {
            if (line.book() != book) {
                changed.add(line);
            } else if (quantity > 0) {
                changed.add(new Line(book, Math.min(quantity, COPIES_MAX)));
            }
        }
        return new Cart(changed);
    }

    /// Returns this cart without a book.
    Cart without(int book) {
        return with(book, 0);
    }

    /// Returns this cart without the copies of another one.
    Cart minus(Cart other) {
        Cart left = this;
        for (Line line : other.lines) {
            for (Line own : lines) {
                if (own.book() == line.book()) {
                    left = left.with(own.book(), own.quantity() - line.quantity());
                }
            }
        }
        return left;
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /// Returns the number of all copies.
    public int copies() {
        return lines.stream().mapToInt(Line::quantity).sum();
    }

    List<Integer> books() {
        return lines.stream().map(Line::book).toList();
    }
}
