package dev.serval.bench.shop;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What the search found for one server.
///
/// @param trials in their order
/// @param asides the interactions that no trial has
/// @param fault what is wrong with the database afterwards, or an empty text
record ShopServer(
        String name,
        UserSearch users,
        List<ShopTrial> trials,
        List<ShopTally> asides,
        String fault) {
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

    /// Returns the greatest number of users with which each server has such a trial.
    static OptionalInt sharedUsers(List<ShopServer> servers, Predicate<ShopTrial> which) {
        return servers.stream()
                .limit(1)
                .flatMap(first -> first.trials().stream())
                .mapToInt(ShopTrial::users)
                .filter(users ->
                        servers.stream().allMatch(one -> one.at(users).filter(which).isPresent()))
                .max();
    }

    private Stream<ShopTally> tallies() {
        return Stream.concat(trials.stream().map(ShopTrial::tally), asides.stream());
    }

    /// Returns the wrong answers of all trials, and of those who settled before.
    long wrong() {
        return tallies().mapToLong(ShopTally::wrong).sum();
    }

    long interactions() {
        return tallies().mapToLong(ShopTally::ended).sum();
    }

    /// Returns what happened to the first interaction with a wrong answer, or an empty text.
    String firstWrong() {
        return tallies()
                .filter(tally -> tally.wrong() > 0)
                .map(ShopTally::firstFault)
                .findFirst()
                .orElse("");
    }

    /// Returns whether every answer was right and the database is.
    boolean isRight() {
        return wrong() == 0 && fault.isEmpty();
    }
}
