package dev.serval.bench.shop;

import static java.util.Comparator.comparingInt;

import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.report.Chart;
import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Published;
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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        tables.put(pagesTitle("the most"), pages());
        int shared = sharedUsers().orElse(0);
        if (shared > 0 && servers.stream().anyMatch(one -> one.users().passed() > shared)) {
            tables.put(
                    pagesTitle("the same " + shared),
                    times(server -> server.at(shared).orElseThrow()).table());
        }
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
                String why = server.wrong() + " of " + server.interactions();
                why += " answers were wrong, first " + server.firstWrong();
                gaps.add(Gap.failed(cell.name(), server.name(), why));
            }
        }
        return gaps;
    }

    /// The subject fails if an answer or its database is wrong, or a part of its [ShopJudge] does.
    Verdict verdict() {
        boolean failed = absent.stream().anyMatch(gap -> gap.peer().equals(subject));
        Optional<ShopServer> own = named(subject);
        return failed || own.filter(one -> !one.isRight()).isPresent()
                ? Verdict.FAIL
                : ShopJudge.Part.worst(parts());
    }

    private Optional<ShopServer> named(String name) {
        return servers.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    /// Compares the subject with the other servers whose answers are right.
    private List<ShopJudge.Part> parts() {
        List<ShopServer> others =
                servers.stream()
                        .filter(one -> !one.name().equals(subject) && one.isRight())
                        .toList();
        return named(subject)
                .map(own -> new ShopJudge(cell.gates(), own, others).parts())
                .orElse(List.of());
    }

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        rows.add(row(USERS, "", Row.Better.HIGHER, ShopResult::bounds));
        rows.add(
                low(
                        "CPU of the server for an interaction",
                        "ms",
                        one -> one.best().serverMillis()));
        rows.add(low("resident memory at the most users", "MB", ShopServer::residentMegabytes));
        sharedUsers()
                .ifPresent(users ->
                        rows.add(
                                low(
                                        "90 % of the interactions, at " + users + " users",
                                        "ms",
                                        one -> one.at(users).orElseThrow().tally().millis(90))));
        return rows;
    }

    private static Statistics bounds(ShopServer server) {
        UserSearch users = server.users();
        return new Statistics(
                users.passed(), users.passed(), Math.max(users.passed(), users.failed() - 1));
    }

    private Row low(String measure, String unit, ToDoubleFunction<ShopServer> of) {
        return row(
                measure,
                unit,
                Row.Better.LOWER,
                server -> Statistics.one(of.applyAsDouble(server)));
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

    private OptionalInt sharedUsers() {
        return ShopServer.sharedUsers(servers, ShopTrial::passes);
    }

    private Chart chart() {
        List<Chart.Line> lines =
                servers.stream()
                        .map(server ->
                                Chart.Line.of(
                                        server.name(),
                                        server.trials().stream()
                                                .sorted(comparingInt(ShopTrial::users))
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

    /// Returns the servers of the paper, each with its users ÷ the most of all of them.
    private String shares() {
        double most = cell.published().stream().mapToDouble(Published::value).max().orElse(1);
        return cell.published().stream()
                .map(each -> each.server() + " " + Digits.hundredths(each.value() / most))
                .collect(Collectors.joining(", "));
    }

    /// Returns users ÷ the most of all servers, with a sign if the search did not find the end.
    private static String share(ShopServer server, int most) {
        UserSearch users = server.users();
        return (users.failed() == 0 ? "≥ " : "")
                + Digits.hundredths((double) users.passed() / most);
    }

    private Table users() {
        int most = servers.stream().mapToInt(each -> each.users().passed()).max().orElse(1);
        return Table.of(servers)
                .text("cell, server", this::label)
                .text("users", server -> server.users().text())
                .text("÷ most", server -> share(server, most))
                .figure("1/s", server -> server.best().tally().perSecond(), 1)
                .figure("in time %", server -> 100 * server.best().tally().share(), 1)
                .figure("CPU ms, server", server -> server.best().serverMillis(), 2)
                .text("CPU ms, database", this::databaseMillis)
                .figure("MB", ShopServer::residentMegabytes, 0)
                .text("limits kept", ShopResult::limits)
                .text("wrong", server -> server.wrong() + " of " + server.interactions())
                .text("sums", server -> server.fault().isEmpty() ? "agree" : "FAILED")
                .text("ended by", ShopServer::end)
                .table();
    }

    private String databaseMillis(ShopServer server) {
        return cell.database() == ShopCell.Store.H2
                ? "in the server"
                : Digits.of(server.best().databaseMillis(), 2);
    }

    /// Returns how many kinds of interactions keep their limit, of those that happened.
    private static String limits(ShopServer server) {
        ShopTally tally = server.best().tally();
        long kept = Stream.of(Interaction.values()).filter(tally::keepsLimit).count();
        long all = Stream.of(Interaction.values()).filter(what -> tally.count(what) > 0).count();
        return kept + " of " + all;
    }

    private String pagesTitle(String users) {
        return "Interactions of " + cell.name() + " at " + users + " users, p50 / p90 / p99 in ms";
    }

    /// Returns the times of all servers. The users may differ, so the headings have them.
    private Table.Columns<Interaction> times(Function<ShopServer, ShopTrial> of) {
        Table.Columns<Interaction> columns =
                Table.of(List.of(Interaction.values()))
                        .text("interaction", Interaction::word)
                        .text("limit of p90", what -> String.valueOf(1000 * what.limitSeconds()));
        for (ShopServer server : servers) {
            ShopTrial trial = of.apply(server);
            columns.text(server.name() + ", " + trial.users(), what -> millis(trial.tally(), what));
        }
        return columns;
    }

    private Table pages() {
        Table.Columns<Interaction> columns = times(ShopServer::best);
        columns.figure("published %", what -> what.share(cell.mix()), 2);
        for (ShopServer server : servers) {
            columns.figure(server.name() + " %", what -> server.best().tally().percent(what), 2);
        }
        return columns.table();
    }

    private static String millis(ShopTally tally, Interaction what) {
        if (tally.count(what) == 0) {
            return "–";
        }
        return Stream.of(50, 90, 99)
                        .map(percentile -> Digits.brief(tally.millis(what, percentile), 1))
                        .collect(Collectors.joining(" / "))
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
        return Table.of(steps)
                .text("cell, server", step -> label(step.server))
                .count("users", step -> step.trial.users())
                .figure("in time %", step -> 100 * step.trial.tally().share(), 1)
                .figure("1/s", step -> step.trial.tally().perSecond(), 1)
                .figure("p90 ms", step -> step.trial.tally().millis(90), 1)
                .figure("MB", step -> step.trial.megabytes(), 0)
                .text("server %", step -> step.percent(step.trial.cost().server()))
                .text("database %", step -> step.percent(step.trial.cost().database()))
                .text("generator %", step -> step.percent(step.trial.cost().generator()))
                .figure("others %", step -> 100 * step.trial.cost().othersShare(), 0)
                .count("failed", step -> step.trial.tally().failed())
                .count("not bought", step -> step.trial.tally().refusals())
                .text("at its end", step -> step.trial.end())
                .table();
    }

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        remarks.add(
                String.format(
                        Locale.ROOT,
                        "%s: %d books, %d customers, in %s, copied before each server; sessions of"
                                + " %d s on average, %d s to settle and %d s measured for each number"
                                + " of users; thinking %.1f s on average%s; %d connections of a"
                                + " browser; %s; %d rounds for new passwords%s",
                        cell.name(),
                        extent.books(),
                        extent.customers(),
                        cell.database() == ShopCell.Store.H2
                                ? "H2 in the server's process"
                                : "PostgreSQL on the client's CPUs, where the generator has precedence",
                        extent.sessionSeconds(),
                        extent.warmUpSeconds(),
                        extent.seconds(),
                        cell.thinkSeconds(),
                        cell.thinkMaxSeconds() > 0
                                ? ", at most " + Digits.of(cell.thinkMaxSeconds(), 0) + " s"
                                : "",
                        cell.connections(),
                        cell.protocol().tls() ? "HTTP over TLS" : "plain HTTP",
                        ShopStore.HASH_ROUNDS,
                        cell.workThousands() > 0
                                ? "; each page calculates %d,000 steps more, for its work"
                                        .formatted(cell.workThousands())
                                : ""));
        remarks.add(
                cell.name()
                        + ": the mix, the limits and the habits follow the published rules of TPC-W;"
                        + " the chain and the database do not, so this is no result of TPC-W");
        if (!cell.published().isEmpty()) {
            remarks.add(cell.name() + ": users ÷ the most, in the paper: " + shares());
        }
        boolean serval = servers.stream().anyMatch(one -> one.name().equals(ServalPeer.NAME));
        if (serval) {
            remarks.add(
                    cell.name()
                            + ": serval without another configuration has limits.workers = 200, as"
                            + " many as Tomcat and Jetty have threads by default, and keeps idle"
                            + " connections up to the limit, as they do");
        }
        for (ShopServer server : servers) {
            if (server.isOfTheGenerator()) {
                remarks.add(
                        "%s: the search of %s was ended by %s, not by the server"
                                .formatted(cell.name(), server.name(), server.end()));
            }
        }
        parts().forEach(part -> remarks.add(cell.name() + ": " + part.text()));
        return remarks;
    }
}
