package dev.serval.bench.shop;

import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.ShopCell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Compares a server with others: the most users with the best of them, the times and the memory with
/// each one. Times and memory grow with the users, so they are compared with the most users that both
/// have passed.
///
/// @param others whose answers are right
record ShopJudge(ShopCell.Gates gates, ShopServer own, List<ShopServer> others) {
    /// The trials of two servers with the same users.
    private record Pair(ShopCell.Gates gates, String other, ShopTrial mine, ShopTrial theirs) {
        Verdict p90() {
            return gates.p90().verdict(mine.tally().millis(90), theirs.tally().millis(90));
        }

        Verdict memory() {
            return gates.memory().verdict(mine.megabytes(), theirs.megabytes());
        }

        String text(String own) {
            return ("at %d users, 90 %% of the interactions of %s take %s ms and of %s %s ms (%s); the"
                            + " memory is %s MB and %s MB (%s)")
                    .formatted(
                            mine.users(),
                            own,
                            Digits.brief(mine.tally().millis(90), 1),
                            other,
                            Digits.brief(theirs.tally().millis(90), 1),
                            p90().word(),
                            Digits.of(mine.megabytes(), 0),
                            Digits.of(theirs.megabytes(), 0),
                            memory().word());
        }
    }

    /// Returns the worst verdict of all parts. A part with nothing to compare does not count.
    Verdict verdict() {
        List<Verdict> parts = new ArrayList<>(List.of(users()));
        for (ShopServer other : others) {
            pair(other).ifPresent(pair -> parts.addAll(List.of(pair.p90(), pair.memory())));
        }
        return Stream.of(Verdict.FAIL, Verdict.MISS, Verdict.PASS)
                .filter(parts::contains)
                .findFirst()
                .orElse(Verdict.NONE);
    }

    /// If the generator ended the search, there are no most users to compare. The server fails if
    /// another one can have more, beyond what the search leaves open.
    private Verdict users() {
        if (others.isEmpty() || own.isOfTheGenerator()) {
            return Verdict.NONE;
        }
        int best = others.stream().mapToInt(one -> one.users().passed()).max().orElse(0);
        if (own.users().failed() <= gates.users() * best) {
            return Verdict.FAIL;
        }
        return own.users().failed() <= gates.aimUsers() * best ? Verdict.MISS : Verdict.PASS;
    }

    /// Returns the trials with the most users that both servers have passed.
    private Optional<Pair> pair(ShopServer other) {
        return own.trials().stream()
                .filter(ShopTrial::isComparable)
                .flatMap(mine ->
                        other.at(mine.users()).filter(ShopTrial::isComparable).stream()
                                .map(theirs -> new Pair(gates, other.name(), mine, theirs)))
                .max(Comparator.comparingInt(pair -> pair.mine().users()));
    }

    /// Returns what was compared, and the verdict of each part.
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        for (ShopServer other : others) {
            remarks.add(
                    pair(other)
                            .map(pair -> pair.text(own.name()))
                            .orElse(
                                    "%s and %s have passed no undisturbed trial with the same users"
                                            .formatted(own.name(), other.name())));
        }
        if (!others.isEmpty()) {
            remarks.add("the verdict of the most users alone: " + users().word());
        }
        return remarks;
    }
}
