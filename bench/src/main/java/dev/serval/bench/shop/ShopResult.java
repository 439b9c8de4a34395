package dev.serval.bench.shop;

import dev.serval.bench.report.Chart;
import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Table;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.ShopCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes the figures of a cell from what the searches found.
///
/// @param subject the server that the gate is for
/// @param absent servers that could not be measured
record ShopResult(
        ShopCell cell,
        ShopCell.Extent extent,
        String subject,
        List<ShopServer> servers,
        List<Gap> absent) {
    /// The measure that the paper has, too.
    static final String USERS = "most users";

    private static final String USERS_TABLE = "Most users with their pages in time";
    private static final String TRIALS_TABLE = "Trials of the search for the most users";

    TableResult table() {
        Map<String, Table> tables = new LinkedHashMap<>();
        tables.put(USERS_TABLE, users());
        tables.put(
                "Interactions of " + cell.name() + " at the most users, p50 / p90 / p99 in ms",
                pages());
        tables.put(TRIALS_TABLE, trials());
        return new TableResult(
                cell.name(),
                cell.title(),
                verdict(),
                rows(),
                List.of(chart()),
                tables,
                cell.published(),
                gaps(),
                remarks());
    }

    /// Returns the servers without figures, and those whose answers or rows are wrong.
    private List<Gap> gaps() {
        List<Gap> gaps = new ArrayList<>(absent);
        for (ShopServer server : servers) {
            if (!server.fault().isEmpty()) {
                gaps.add(Gap.failed(cell.name(), server.name(), server.fault()));
            }
            if (server.wrong() > 0) {
                String first =
                        server.trials().stream()
                                .filter(trial -> trial.tally().wrong() > 0)
                                .map(trial -> trial.tally().firstFault())
                                .findFirst()
                                .orElse("");
                String why =
                        "%d of %d answers were wrong, first %s"
                                .formatted(server.wrong(), server.interactions(), first);
                gaps.add(Gap.failed(cell.name(), server.name(), why));
            }
        }
        return gaps;
    }

    /// The subject fails if an answer or its database is wrong, or if another server can have more
    /// users, beyond what the search leaves open. If the generator ended the search, there is nothing
    /// to compare.
    Verdict verdict() {
        boolean failed = absent.stream().anyMatch(gap -> gap.peer().equals(subject));
        ShopServer own = named(subject);
        if (failed || (own != null && !own.isRight())) {
            return Verdict.FAIL;
        }
        List<ShopServer> others =
                servers.stream().filter(one -> !one.name().equals(subject)).toList();
        if (own == null || others.isEmpty() || own.isOfTheGenerator()) {
            return Verdict.NONE;
        }
        int best = others.stream().mapToInt(one -> one.users().passed()).max().orElse(0);
        if (own.users().failed() <= cell.gateUsers() * best) {
            return Verdict.FAIL;
        }
        return own.users().failed() <= cell.aimUsers() * best ? Verdict.MISS : Verdict.PASS;
    }

    private @Nullable ShopServer named(String name) {
        return servers.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.add(row(USERS, "", Row.Better.HIGHER, ShopResult::bounds));
        rows.add(
                row(
                        "CPU of the server for an interaction",
                        "ms",
                        Row.Better.LOWER,
                        server -> Statistics.one(server.best().serverMillis())));
        rows.add(
                row(
                        "resident memory at the most users",
                        "MB",
                        Row.Better.LOWER,
                        server -> Statistics.one(server.residentMegabytes())));
        OptionalInt shared = sharedUsers();
        if (shared.isPresent()) {
            int users = shared.getAsInt();
            rows.add(
                    row(
                            "90 % of the interactions, at " + users + " users",
                            "ms",
                            Row.Better.LOWER,
                            server ->
                                    Statistics.one(
                                            server.at(users).orElseThrow().tally().millis(90))));
        }
        return rows;
    }

    private static Statistics bounds(ShopServer server) {
        UserSearch users = server.users();
        return new Statistics(
                users.passed(), users.passed(), Math.max(users.passed(), users.failed() - 1));
    }

    private Row row(
            String measure, String unit, Row.Better better, Function<ShopServer, Statistics> of) {
        Map<String, Statistics> values = new LinkedHashMap<>();
        for (ShopServer server : servers) {
            if (server.isRight()) {
                values.put(server.name(), of.apply(server));
            }
        }
        return new Row(cell.name(), measure, unit, better, values);
    }

    /// Returns the greatest number of users with which every server has passed a trial.
    OptionalInt sharedUsers() {
        return servers.stream()
                .flatMap(server -> server.trials().stream())
                .mapToInt(ShopTrial::users)
                .filter(users ->
                        servers.stream()
                                .allMatch(
                                        one -> one.at(users).filter(ShopTrial::passes).isPresent()))
                .max();
    }

    private Chart chart() {
        List<Chart.Line> lines =
                servers.stream()
                        .map(server ->
                                Chart.Line.of(
                                        server.name(),
                                        server.trials().stream()
                                                .sorted((a, b) ->
                                                        Integer.compare(a.users(), b.users()))
                                                .toList(),
                                        ShopTrial::users,
                                        trial -> trial.tally().millis(90)))
                        .toList();
        return new Chart(
                cell.name() + ": the time in which 90 % of the interactions have their answer",
                new Chart.Axis("users", "", false),
                new Chart.Axis("page with its images", "ms", true),
                lines);
    }

    private String label(ShopServer server) {
        return cell.name() + ", " + server.name();
    }

    private Table users() {
        return Table.of(
                servers,
                List.of(
                        new Table.Column<>("cell, server", this::label),
                        new Table.Column<>("users", s -> s.users().text()),
                        new Table.Column<>("1/s", s -> Digits.of(s.best().tally().perSecond(), 1)),
                        new Table.Column<>(
                                "in time %", s -> Digits.of(100 * s.best().tally().share(), 1)),
                        new Table.Column<>(
                                "CPU ms, server", s -> Digits.of(s.best().serverMillis(), 2)),
                        new Table.Column<>(
                                "CPU ms, database",
                                s ->
                                        cell.database() == ShopCell.Store.H2
                                                ? "in the server"
                                                : Digits.of(s.best().databaseMillis(), 2)),
                        new Table.Column<>("MB", s -> Digits.of(s.residentMegabytes(), 0)),
                        new Table.Column<>("limits kept", ShopResult::limits),
                        new Table.Column<>("wrong", s -> s.wrong() + " of " + s.interactions()),
                        new Table.Column<>("sums", s -> s.fault().isEmpty() ? "agree" : "FAILED"),
                        new Table.Column<>("ended by", ShopServer::end)));
    }

    /// Returns how many kinds of interactions keep their limit, of those that happened.
    private static String limits(ShopServer server) {
        ShopTally tally = server.best().tally();
        long kept = Stream.of(Interaction.values()).filter(tally::keepsLimit).count();
        long all = Stream.of(Interaction.values()).filter(what -> tally.count(what) > 0).count();
        return kept + " of " + all;
    }

    private Table pages() {
        List<Table.Column<Interaction>> columns = new ArrayList<>();
        columns.add(new Table.Column<>("interaction", Interaction::word));
        columns.add(
                new Table.Column<>(
                        "limit of p90", what -> String.valueOf(1000 * what.limitSeconds())));
        for (ShopServer server : servers) {
            columns.add(new Table.Column<>(server.name(), what -> millis(server, what)));
        }
        columns.add(
                new Table.Column<>("published %", what -> Digits.of(what.share(cell.mix()), 2)));
        for (ShopServer server : servers) {
            columns.add(
                    new Table.Column<>(
                            server.name() + " %",
                            what -> Digits.of(server.best().tally().percent(what), 2)));
        }
        return Table.of(List.of(Interaction.values()), columns);
    }

    private static String millis(ShopServer server, Interaction what) {
        ShopTally tally = server.best().tally();
        if (tally.count(what) == 0) {
            return "–";
        }
        return Digits.brief(tally.millis(what, 50), 1)
                + " / "
                + Digits.brief(tally.millis(what, 90), 1)
                + " / "
                + Digits.brief(tally.millis(what, 99), 1)
                + (tally.keepsLimit(what) ? "" : " OVER");
    }

    /// A trial of a server.
    private record Step(ShopServer server, ShopTrial trial) {
        String percent(double cpuSeconds) {
            return Digits.of(100 * cpuSeconds / trial.cost().seconds(), 0);
        }
    }

    private Table trials() {
        List<Step> steps =
                servers.stream()
                        .flatMap(server ->
                                server.trials().stream().map(trial -> new Step(server, trial)))
                        .toList();
        return Table.of(
                steps,
                List.of(
                        new Table.Column<>("cell, server", step -> label(step.server)),
                        new Table.Column<>("users", step -> String.valueOf(step.trial.users())),
                        new Table.Column<>(
                                "in time %",
                                step -> Digits.of(100 * step.trial.tally().share(), 1)),
                        new Table.Column<>(
                                "1/s", step -> Digits.of(step.trial.tally().perSecond(), 1)),
                        new Table.Column<>(
                                "p90 ms", step -> Digits.of(step.trial.tally().millis(90), 0)),
                        new Table.Column<>(
                                "server %", step -> step.percent(step.trial.cost().server())),
                        new Table.Column<>(
                                "database %", step -> step.percent(step.trial.cost().database())),
                        new Table.Column<>(
                                "generator %", step -> step.percent(step.trial.cost().generator())),
                        new Table.Column<>(
                                "others %",
                                step -> Digits.of(100 * step.trial.cost().othersShare(), 0)),
                        new Table.Column<>(
                                "failed", step -> String.valueOf(step.trial.tally().failed())),
                        new Table.Column<>(
                                "not bought",
                                step -> String.valueOf(step.trial.tally().refusals())),
                        new Table.Column<>("at its end", step -> step.trial.end())));
    }

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        remarks.add(
                String.format(
                        Locale.ROOT,
                        "%s: %d books, %d customers, in %s, copied before each server; sessions of"
                                + " %d s on average, %d s to settle and %d s measured for each number"
                                + " of users; thinking %.1f s on average%s; %d connections of a"
                                + " browser; plain HTTP; %d rounds for new passwords%s",
                        cell.name(),
                        extent.books(),
                        extent.customers(),
                        cell.database() == ShopCell.Store.H2
                                ? "H2 in the server's process"
                                : "PostgreSQL on the client's CPUs",
                        extent.sessionSeconds(),
                        extent.warmUpSeconds(),
                        extent.seconds(),
                        cell.thinkSeconds(),
                        cell.thinkMaxSeconds() > 0
                                ? ", at most " + Digits.of(cell.thinkMaxSeconds(), 0) + " s"
                                : "",
                        cell.connections(),
                        ShopStore.HASH_ROUNDS,
                        cell.workThousands() > 0
                                ? "; each page calculates %d,000 steps more, for its work"
                                        .formatted(cell.workThousands())
                                : ""));
        remarks.add(
                cell.name()
                        + ": the mix, the limits and the habits follow the published rules of TPC-W;"
                        + " the chain and the database do not, so this is no result of TPC-W");
        for (ShopServer server : servers) {
            if (server.isOfTheGenerator()) {
                remarks.add(
                        "%s: the search of %s was ended by %s, not by the server"
                                .formatted(cell.name(), server.name(), server.end()));
            }
        }
        return remarks;
    }
}
