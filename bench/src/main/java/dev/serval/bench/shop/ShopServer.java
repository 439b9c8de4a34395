package dev.serval.bench.shop;

import java.util.List;
import java.util.Optional;

/// What the search found for one server.
///
/// @param trials in their order
/// @param fault what is wrong with the database afterwards, or an empty text
record ShopServer(String name, UserSearch users, List<ShopTrial> trials, String fault) {

    /// Returns the trial with the most users that passed, or the first one if none did.
    ShopTrial best() {
        return at(users.passed()).orElse(trials.getFirst());
    }

    /// Returns the trial with so many users.
    Optional<ShopTrial> at(int count) {
        return trials.stream().filter(trial -> trial.users() == count).findFirst();
    }

    /// Returns the memory with the most users that passed, or NaN if none did.
    double residentMegabytes() {
        return at(users.passed()).map(ShopTrial::megabytes).orElse(Double.NaN);
    }

    /// Returns what ended the search.
    String end() {
        return at(users.failed()).map(ShopTrial::end).orElse("the most users that are tried");
    }

    /// Returns whether the search ended although the server may have room for more users.
    boolean isOfTheGenerator() {
        return users.failed() == 0 || at(users.failed()).orElseThrow().isOfTheGenerator();
    }

    /// Returns the wrong answers of all trials.
    long wrong() {
        return trials.stream().mapToLong(trial -> trial.tally().wrong()).sum();
    }

    long interactions() {
        return trials.stream().mapToLong(trial -> trial.tally().ended()).sum();
    }

    /// Returns whether every answer was right and the database is.
    boolean isRight() {
        return wrong() == 0 && fault.isEmpty();
    }
}
