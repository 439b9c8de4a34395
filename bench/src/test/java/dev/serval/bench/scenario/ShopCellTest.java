package dev.serval.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Published;
import dev.serval.bench.report.Verdict;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShopCellTest {
    private static final String JSON =
            """
            {"name": "x", "title": "x", "paper": "", "log": false, "files": {}, "requests": {},
             "peers": [], "subject": "serval", "references": [], "floor": "", "cells": [
             {"kind": "shop", "name": "a", "title": "a", "peers": [],
              "protocol": "http", "mix": "shopping", "database": "h2", "thinkSeconds": 8,
              "thinkMaxSeconds": 0, "workThousands": 0,
              "connections": 2, "answerSeconds": 2, "share": 0.9, "firstUsers": 100,
              "usersMax": 200, "quick": EXTENT, "usual": EXTENT, "paper": EXTENT,
              "gates": {"users": 1, "aimUsers": 1, "p90": {"gate": 1, "spread": 0.1, "aim": 1},
              "memory": {"gate": 1, "spread": 0.1, "aim": 1}}, "published": []}]}
            """
                    .replace(
                            "EXTENT",
                            "{\"books\": 10, \"customers\": 1, \"sessionSeconds\": 1,"
                                    + " \"warmUpSeconds\": 0, \"seconds\": 1, \"halvings\": 0}");

    private static ShopCell cell(String name) throws IOException {
        return Scenario.named("shop").cells().stream()
                .map(ShopCell.class::cast)
                .filter(cell -> cell.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void headlineIsThePapers() throws IOException {
        ShopCell cell = cell("shopping");
        assertThat(cell.mix()).isEqualTo(ShopCell.Mix.SHOPPING);
        assertThat(cell.thinkSeconds()).isEqualTo(8);
        assertThat(cell.answerSeconds()).isEqualTo(2);
        assertThat(cell.share()).isEqualTo(0.9);
        assertThat(cell.database()).isEqualTo(ShopCell.Store.POSTGRESQL);
        assertThat(cell.usual().books()).isEqualTo(10_000);
        assertThat(cell.usual().customers()).isEqualTo(100_000);
        assertThat(cell.usual().sessionSeconds()).isEqualTo(900);
        assertThat(cell.published())
                .extracting(Published::value)
                .containsExactly(2850.0, 2110.0, 1610.0);
    }

    @Test
    void everyCellHasThePromisedGates() throws IOException {
        ShopCell.Gates none =
                new ShopCell.Gates(0, 0, new ShopCell.Limit(0, 0, 0), new ShopCell.Limit(0, 0, 0));
        ShopCell.Gates promised =
                new ShopCell.Gates(
                        1, 1.1, new ShopCell.Limit(1, 0.3, 0.9), new ShopCell.Limit(1, 0.05, 1));
        Set<String> alone = Set.of("million", "few");
        assertThat(Scenario.named("shop").cells())
                .extracting(ShopCell.class::cast)
                .allSatisfy(cell ->
                        assertThat(cell.gates())
                                .isEqualTo(alone.contains(cell.name()) ? none : promised));
    }

    /// The spread excuses a figure beyond the gate from a failure, not from a miss.
    @ParameterizedTest
    @CsvSource({
        "1, 0.5, 0.9, 90, PASS",
        "1, 0.5, 0.9, 91, MISS",
        "1, 0.5, 0.9, 150, MISS",
        "1, 0.5, 0.9, 151, FAIL",
        "0, 0, 0, 151, NONE",
    })
    void limitComparesTwoFigures(
            double gate, double spread, double aim, double own, Verdict verdict) {
        assertThat(new ShopCell.Limit(gate, spread, aim).verdict(own, 100)).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "shopping, SHOPPING, POSTGRESQL, http, 0",
        "browsing, BROWSING, POSTGRESQL, http, 0",
        "ordering, ORDERING, POSTGRESQL, http, 0",
        "shopping-7s, SHOPPING, POSTGRESQL, http, 0",
        "shopping-h2, SHOPPING, H2, http, 0",
        "shopping-https, SHOPPING, POSTGRESQL, https, 0",
        "shopping-work, SHOPPING, POSTGRESQL, http, 5000",
        "million, SHOPPING, POSTGRESQL, http, 0",
        "few, ORDERING, H2, http, 0",
    })
    void cellIsWhatTheManualSays(
            String name, ShopCell.Mix mix, ShopCell.Store database, String protocol, int thousands)
            throws IOException {
        ShopCell cell = cell(name);
        assertThat(cell.mix()).isEqualTo(mix);
        assertThat(cell.database()).isEqualTo(database);
        assertThat(cell.protocol().key()).isEqualTo(protocol);
        assertThat(cell.workThousands()).isEqualTo(thousands);
    }

    @Test
    void manualListsEveryCell() throws IOException {
        List<String> names =
                Files.readAllLines(Path.of("..", "docs", "manual", "bench.md")).stream()
                        .dropWhile(line -> !line.startsWith("| cell of `shop` |"))
                        .skip(2) // the header
                        .takeWhile(line -> line.startsWith("|"))
                        .map(line -> line.split("\\|", -1)[1])
                        .flatMap(name -> Stream.of(name.split(",", -1)))
                        .map(name -> name.replace("`", "").strip())
                        .toList();
        assertThat(Scenario.named("shop").cells())
                .extracting(Cell::name)
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void variantHasTheThinkingOfTheRules() throws IOException {
        assertThat(cell("shopping-7s").thinkSeconds()).isEqualTo(7);
        assertThat(cell("shopping-7s").thinkMaxSeconds()).isEqualTo(70);
    }

    @Test
    void extentFollowsTheSettings() throws IOException {
        ShopCell cell = cell("shopping");
        assertThat(cell.extent(Settings.QUICK)).isEqualTo(cell.quick());
        assertThat(cell.extent(Settings.FULL)).isEqualTo(cell.usual());
        assertThat(cell.extent(Settings.PAPER)).isEqualTo(cell.paper());
        assertThat(cell.paper().seconds()).isEqualTo(1800);
    }

    @ParameterizedTest
    @CsvSource({
        "thinkSeconds, 0",
        "thinkMaxSeconds, -1",
        "workThousands, -1",
        "connections, 0",
        "answerSeconds, 0",
        "share, 0",
        "share, 1.1",
        "firstUsers, 0",
        "usersMax, 99",
    })
    void usersThatCannotBeMadeAreRefused(String field, String value) {
        assertThat(parse(JSON).cells()).hasSize(1);
        String wrong =
                JSON.replaceFirst("\"" + field + "\": [0-9.]+", "\"" + field + "\": " + value);
        assertThatThrownBy(() -> parse(wrong)).isInstanceOf(BenchFailure.class);
    }

    /// Browsers speak HTTP/1.1, in the clear and over TLS.
    @ParameterizedTest
    @CsvSource({"http, true", "https, true", "h2c, false", "h2, false"})
    void browsersDoNotSpeakHttp2(String protocol, boolean spoken) {
        String json = JSON.replace("\"http\"", "\"" + protocol + "\"");
        if (spoken) {
            assertThat(parse(json).cells())
                    .extracting(cell -> ((ShopCell) cell).protocol().key())
                    .containsExactly(protocol);
        } else {
            assertThatThrownBy(() -> parse(json))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("do not speak " + protocol);
        }
    }

    @Test
    void extentMustBePositive() {
        assertThat(new ShopCell.Extent(10, 1, 1, 0, 1, 0).books()).isEqualTo(10);
        for (int[] one :
                List.of(
                        new int[] {9, 1, 1, 0, 1, 0},
                        new int[] {10, 0, 1, 0, 1, 0},
                        new int[] {10, 1, 0, 0, 1, 0},
                        new int[] {10, 1, 1, -1, 1, 0},
                        new int[] {10, 1, 1, 0, 0, 0},
                        new int[] {10, 1, 1, 0, 1, -1})) {
            assertThatThrownBy(() ->
                            new ShopCell.Extent(one[0], one[1], one[2], one[3], one[4], one[5]))
                    .isInstanceOf(BenchFailure.class);
        }
    }

    private static Scenario parse(String json) {
        return Scenario.parse(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }
}
