package dev.serval.bench.shop;

import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.ShopCell;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Compares a server with others: the most users with the best of them, times and memory with each.
/// These grow with the users, so they are compared at the most users that both have passed.
///
/// @param others whose answers are right
record ShopJudge(ShopCell.Gates gates, ShopServer own, List<ShopServer> others) {
    /// A comparison.
    record Part(String what, Verdict verdict) {
        /// Returns the worst verdict. A part with nothing to compare does not count.
        static Verdict worst(List<Part> parts) {
            return Stream.of(Verdict.FAIL, Verdict.MISS, Verdict.PASS)
                    .filter(one -> parts.stream().anyMatch(part -> part.verdict == one))
                    .findFirst()
                    .orElse(Verdict.NONE);
        }

        String text() {
            return what + ": " + verdict.word();
        }
    }

    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        for (ShopServer other : others) {
            int users =
                    ShopServer.sharedUsers(List.of(own, other), ShopTrial::isComparable).orElse(0);
            if (users > 0) {
                parts.add(part(gates.p90(), "p90 in ms", users, other, t -> t.tally().millis(90)));
                parts.add(part(gates.memory(), "MB", users, other, ShopTrial::megabytes));
            } else {
                String what = "no undisturbed trial with as many users as " + other.name();
                parts.add(new Part(what, Verdict.NONE));
            }
        }
        if (!others.isEmpty()) {
            parts.add(new Part("most users", users()));
        }
        return parts;
    }

    private Part part(
            ShopCell.Limit limit,
            String what,
            int users,
            ShopServer other,
            ToDoubleFunction<ShopTrial> of) {
        double mine = of.applyAsDouble(own.at(users).orElseThrow());
        double theirs = of.applyAsDouble(other.at(users).orElseThrow());
        String figures = ", " + own.name() + " " + Digits.brief(mine, 1);
        figures += ", " + other.name() + " " + Digits.brief(theirs, 1);
        return new Part(what + " at " + users + " users" + figures, limit.verdict(mine, theirs));
    }

    /// If the generator ended the search, there are no most users to compare. The server fails if
    /// another one can have more, beyond what the search leaves open.
    private Verdict users() {
        if (own.isOfTheGenerator()) {
            return Verdict.NONE;
        }
        int best = others.stream().mapToInt(one -> one.users().passed()).max().orElse(0);
        if (own.users().failed() <= gates.users() * best) {
            return Verdict.FAIL;
        }
        return own.users().failed() <= gates.aimUsers() * best ? Verdict.MISS : Verdict.PASS;
    }
}
