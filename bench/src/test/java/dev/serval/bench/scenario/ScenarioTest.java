package dev.serval.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.Published;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTest {
    @Test
    void everyScenarioIsValidAndHasItsName() throws IOException {
        for (String name : Scenario.NAMES) {
            assertThat(Scenario.named(name).name()).isEqualTo(name);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "4k-keep-alive, 64, 0.85, 0.75, 0",
        "2k-300, 300, 0.85, 0.75, 0",
        "4k-300-ab, 300, 0.85, 0.75, 0",
        "14k-1, 1, 0.92, 0.85, 0.95",
        "14k-64, 64, 0.92, 0.85, 0.95",
        "14k-300, 300, 0.92, 0.85, 0.95",
        "14k-1-ab, 1, 0.92, 0.85, 0.95",
        "14k-64-ab, 64, 0.92, 0.85, 0.95",
        "14k-300-ab, 300, 0.92, 0.85, 0.95",
        "40k-new-64, 64, 1.0, 0.95, 0",
        "40k-new-300-ab, 300, 1.0, 0.95, 0",
        "five-requests, 64, 1.05, 0.95, 0",
        "connection-per-request, 64, 1.15, 1.0, 0",
        "954k-1, 1, 1.05, 1.0, 1.0",
        "954k, 64, 1.05, 1.0, 1.0",
        "954k-300, 300, 1.05, 1.0, 1.0",
        "954k-300-ab, 300, 1.05, 1.0, 1.0",
        "pipelined, 1, 0.30, 0.20, 0",
    })
    void staticHasThePromisedGates(
            String cell, int connections, double gate, double aim, double bytes)
            throws IOException {
        Cell.Load load = Scenario.named("static").loadCell(cell);
        assertThat(load.connections()).isEqualTo(connections);
        assertThat(load.gate()).isEqualTo(new Gate(gate, aim, bytes));
    }

    @Test
    void overloadHasThePromisedGates() throws IOException {
        Scenario overload = Scenario.named("overload");
        assertThat(overload.peers()).containsExactly("serval", "tomcat", "jetty");
        assertThat(overload.cells())
                .hasSize(2)
                .allSatisfy(cell -> {
                    Cell.Overload one = (Cell.Overload) cell;
                    assertThat(one.gateGoodput()).isEqualTo(0.9);
                    assertThat(one.gateRecoverySeconds()).isEqualTo(1);
                    assertThat(one.addresses()).isGreaterThan(1);
                });
        Cell.Overload long5 = (Cell.Overload) overload.cells().getFirst();
        assertThat(long5.cpuMicros()).isEqualTo(5000);
        assertThat(long5.multiples()).containsExactly(0.5, 1.0, 2.0, 5.0, 10.0);
        Cell.Overload brief = (Cell.Overload) overload.cells().getLast();
        assertThat(brief.cpuMicros()).isEqualTo(300);
        assertThat(brief.multiples()).contains(2.0);
    }

    @Test
    void overloadThatCannotBeMadeIsRefused() {
        assertThatThrownBy(
                        () -> new Cell.Overload("a", "a", 300, List.of(0.0), 1, 1000, 1000, 0.9, 1))
                .isInstanceOf(BenchFailure.class);
        assertThatThrownBy(
                        () -> new Cell.Overload("a", "a", 300, List.of(1.0), 1, 1000, 999, 0.9, 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("must wait until the deadline");
    }

    @ParameterizedTest
    @CsvSource({"hello, 64, 1, 1.10, 1.05", "hello-pipelined, 1, 64, 2.0, 1.5"})
    void workersHasThePromisedGates(
            String cell, int connections, int pipeline, double gate, double aim)
            throws IOException {
        Scenario workers = Scenario.named("workers");
        assertThat(workers.subject()).isEqualTo("worker");
        assertThat(workers.references()).containsExactly("loop");
        Cell.Load load = workers.loadCell(cell);
        assertThat(load.connections()).isEqualTo(connections);
        assertThat(load.pipeline()).isEqualTo(pipeline);
        assertThat(load.gate()).isEqualTo(new Gate(gate, aim, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "hello, hello, 64, 1, 0.75, 0.60",
        "hello-300, hello, 300, 1, 0.75, 0.60",
        "hello-pipelined, hello, 1, 64, 0.40, 0.20",
        "static-4k, 4k.bin, 64, 1, 0.55, 0.45",
        "form-500, form-500, 64, 1, 0.75, 0.60",
        "form-5k, form-5k, 64, 1, 0.75, 0.60",
        "json-1k, json-1k, 64, 1, 0.75, 0.60",
        "parameters, parameters, 64, 1, 0.75, 0.50",
        "session, session, 64, 1, 0.75, 0.60",
        "async, async, 64, 1, 0.80, 0.60",
        "connection-per-request, hello, 64, 1, 0.70, 0.60",
        "pieces, pieces, 64, 1, 0.80, 0.65",
        "hello-ab, hello, 64, 1, 0.75, 0.60",
        "jsp, rows, 64, 1, 0.85, 0.70",
    })
    void servletHasThePromisedGates(
            String cell, String request, int connections, int pipeline, double gate, double aim)
            throws IOException {
        Scenario servlet = Scenario.named("servlet");
        assertThat(servlet.subject()).isEqualTo("serval");
        assertThat(servlet.references())
                .containsExactly("tomcat", "jetty", "undertow", "grizzly", "grizzly-pipelining");
        Cell.Load load = servlet.loadCell(cell);
        assertThat(load.file()).isEqualTo(request);
        assertThat(load.connections()).isEqualTo(connections);
        assertThat(load.pipeline()).isEqualTo(pipeline);
        assertThat(load.requestsPerConnection())
                .isEqualTo(cell.equals("connection-per-request") ? 1 : 0);
        assertThat(load.gate()).isEqualTo(new Gate(gate, aim, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "h2c-1-1, H2C, 4k.bin, 1, 1",
        "h2c-10-1, H2C, 4k.bin, 10, 1",
        "h2c-100-1, H2C, 4k.bin, 100, 1",
        "h2c-1-50, H2C, 4k.bin, 1, 50",
        "h2c-10-50, H2C, 4k.bin, 10, 50",
        "h2c-100-50, H2C, 4k.bin, 100, 50",
        "h2c-upload, H2C, upload, 1, 10",
        "h2-1-1, H2, 4k.bin, 1, 1",
        "h2-10-1, H2, 4k.bin, 10, 1",
        "h2-100-1, H2, 4k.bin, 100, 1",
        "h2-1-50, H2, 4k.bin, 1, 50",
        "h2-10-50, H2, 4k.bin, 10, 50",
        "h2-100-50, H2, 4k.bin, 100, 50",
        "h2-upload, H2, upload, 1, 10",
    })
    void h2HasThePromisedGates(
            String name, Protocol protocol, String file, int streams, int connections)
            throws IOException {
        ProtocolCell cell = (ProtocolCell) cell("h2", name);
        assertThat(cell.protocol()).isEqualTo(protocol);
        assertThat(cell.file()).isEqualTo(file);
        assertThat(cell.load().pipeline()).isEqualTo(streams);
        assertThat(cell.load().connections()).isEqualTo(connections);
        assertThat(cell.client()).isEqualTo(Cell.ClientKind.H2LOAD);
        assertThat(cell.gate()).isEqualTo(new Gate(0.70, 0.55, 0));
        assertThat(cell.others())
                .isEqualTo(
                        file.equals("upload") ? Map.of() : Map.of("nginx", new Gate(1.0, 0.85, 0)));
        Scenario h2 = Scenario.named("h2");
        assertThat(h2.cells()).hasSize(14);
        assertThat(Objects.requireNonNull(h2.requests().get("upload")).content())
                .hasSize(1_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "4k, 4k.bin, WRK, 0, 0.80, 0.65",
        "4k-ab, 4k.bin, AB, 0, 0.80, 0.65",
        "954k, 954k.bin, WRK, 0, 1, 1",
        "954k-ab, 954k.bin, AB, 0, 1, 1",
        "full, 13.txt, FULL, 1, 1, 1",
        "full-ab, 13.txt, AB, 1, 1, 1",
        "resumed, 13.txt, RESUMED, 1, 1, 1",
    })
    void tlsHasThePromisedGates(
            String name, String file, Cell.ClientKind client, int each, double gate, double aim)
            throws IOException {
        ProtocolCell cell = (ProtocolCell) cell("tls", name);
        assertThat(cell.protocol()).isEqualTo(Protocol.HTTPS);
        assertThat(cell.load().client()).isEqualTo(client);
        assertThat(cell.load().file()).isEqualTo(file);
        assertThat(cell.load().requestsPerConnection()).isEqualTo(each);
        assertThat(cell.gate()).isEqualTo(new Gate(gate, aim, 0));
        assertThat(cell.others())
                .isEqualTo(gate == 0.8 ? Map.of("nginx", new Gate(1.3, 1.1, 0)) : Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "today, json-https, HTTPS, WRK, 0.8",
        "today, json-h2, H2, H2LOAD, 0.8",
        "jigsaw, 2.b-https, HTTPS, AB, 1",
        "grizzly, 2k-https, HTTPS, AB, 0.8",
        "grizzly, servlet-https, HTTPS, AB, 0.8",
        "grizzly, servlet-h2, H2, H2LOAD, 0.8",
        "httperf, static-https, HTTPS, AB, 1",
        "httperf, servlet-https, HTTPS, AB, 1",
    })
    void otherScenariosHaveLoadsOverTls(
            String scenario, String name, Protocol protocol, Cell.ClientKind client, double aim)
            throws IOException {
        ProtocolCell cell = (ProtocolCell) cell(scenario, name);
        assertThat(cell.protocol()).isEqualTo(protocol);
        assertThat(cell.client()).isEqualTo(client);
        assertThat(cell.gate()).isEqualTo(new Gate(1, aim, 0));
        assertThat(cell.peers()).contains("serval", "jetty").doesNotContain("httpd", "grizzly");
    }

    @ParameterizedTest
    @CsvSource({"h2", "tls"})
    void protocolsAreComparedWithTheServersInJava(String name) throws IOException {
        Scenario scenario = Scenario.named(name);
        assertThat(scenario.references()).containsExactly("tomcat", "jetty", "undertow", "netty");
        assertThat(scenario.peers())
                .containsAll(scenario.references())
                .contains("serval", "nginx", "h2o", "haproxy", "serval-proxy");
    }

    @Test
    void loadsThatAClientCannotMakeAreRefused() throws IOException {
        String h2 = text("h2");
        assertRefused(h2.replace("\"protocol\": \"h2c\"", "\"protocol\": \"https\""), "H2LOAD");
        assertRefused(h2.replace("\"client\": \"h2load\"", "\"client\": \"own\""), "OWN");
        assertRefused(h2.replace("\"client\": \"h2load\"", "\"client\": \"wrk\""), "WRK");
        assertRefused(
                h2.replace("\"requestsPerConnection\": 0", "\"requestsPerConnection\": 1"),
                "H2LOAD");
        assertRefused(h2.replace("\"streams\": 10,", "\"streams\": 0,"), "positive");
        assertRefused(h2.replace("\"file\": \"4k.bin\"", "\"file\": \"5k.bin\""), "5k.bin");
        String tls = text("tls");
        assertRefused(tls.replace("\"streams\": 1,", "\"streams\": 2,"), "wrk and ab cannot");
        assertRefused(
                tls.replace("\"requestsPerConnection\": 1", "\"requestsPerConnection\": 0"),
                "FULL");
    }

    @ParameterizedTest
    @CsvSource({
        "slow-5, 5, 1600, 1.25",
        "slow-5-full, 5, 2000, 0",
        "slow-50, 50, 1600, 1.25",
        "slow-50-full, 50, 2000, 0",
    })
    void slowApplicationHasThePromisedGates(String name, int millis, int users, double gate)
            throws IOException {
        Cell.Slow slow = (Cell.Slow) servletCell(name);
        assertThat(slow.cpuMillis()).isEqualTo(millis);
        assertThat(slow.users()).isEqualTo(users);
        assertThat(slow.gateRate()).isEqualTo(1);
        assertThat(slow.gateP99()).isEqualTo(gate);
        assertThat(slow.gateFile()).isEqualTo(gate);
        // The users of the full load together need one CPU: each needs it once in a cycle of
        // thinking and sleeping.
        double cycleMillis = slow.thinkSeconds() * 1000 + 100;
        assertThat(2000 * slow.cpuMillis() / cycleMillis).isEqualTo(1);
    }

    @Test
    void memoryAndStartHaveThePromisedGates() throws IOException {
        Cell.Allocation allocated = (Cell.Allocation) servletCell("allocated");
        assertThat(allocated.gateBytes()).isEqualTo(1000);
        assertThat(allocated.aimBytes()).isEqualTo(800);
        Cell.Memory memory = (Cell.Memory) servletCell("memory");
        assertThat(memory.after()).isEqualTo("hello-300");
        assertThat(memory.gateRatio()).isEqualTo(0.8);
        Cell.Start empty = (Cell.Start) servletCell("start-empty");
        assertThat(empty.gateSeconds()).isEqualTo(0.6);
        Cell.Start big = (Cell.Start) servletCell("start-big");
        assertThat(big.gateFirst()).isEqualTo(0.6);
        assertThat(big.gateSecond()).isEqualTo(0.4);
    }

    @Test
    void applicationsHaveThePromisedGates() throws IOException {
        Cell.Variant login = (Cell.Variant) servletCell("login");
        assertThat(login.of()).isEqualTo("hello");
        assertThat(login.gate().ratio()).isEqualTo(1.15);
        assertThat(((Cell.Application) servletCell("spring")).gate().ratio()).isEqualTo(0.85);
        Cell.Start spring = (Cell.Start) servletCell("start-spring");
        assertThat(spring.gateFirst()).isEqualTo(0.9);
        assertThat(((Cell.Variant) servletCell("session-files")).of()).isEqualTo("session");
    }

    @ParameterizedTest
    @CsvSource({"1.a, 1, 1, 1", "1.b, 1, 1, 1", "2.a, 6, 1, 3", "2.b, 30, 1, 3", "3, 1, 5, 1"})
    void jigsawHasTheBenchesOfThePaper(String name, int connections, int requests, int files)
            throws IOException {
        Scenario jigsaw = Scenario.named("jigsaw");
        assertThat(jigsaw.log()).isTrue();
        assertThat(jigsaw.paper()).contains("1996");
        Cell.Load load = jigsaw.loadCell(name);
        assertThat(load.connections()).isEqualTo(connections);
        assertThat(load.requestsPerConnection()).isEqualTo(requests);
        assertThat(load.files()).hasSize(files);
        assertThat(load.published()).extracting(Published::server).contains("Jigsaw 1.0alpha3");
    }

    @ParameterizedTest
    @CsvSource({"4.a, 2.a", "4.b, 2.b"})
    void jigsawRepeatsItsLoadsForLong(String name, String of) throws IOException {
        Cell.Lasting lasting = (Cell.Lasting) cell("jigsaw", name);
        assertThat(lasting.of()).isEqualTo(of);
        assertThat(lasting.paperSeconds()).isEqualTo(600);
        assertThat(lasting.gateRatio()).isEqualTo(0.95);
        assertThat(lasting.collectors()).containsExactly(Cell.Collector.values());
    }

    @ParameterizedTest
    @CsvSource({"2k, 50", "14k, 50", "954k, 13", "servlet, 50", "jsp, 50"})
    void grizzlyHasTheRunsOfThePaper(String name, int runs) throws IOException {
        Cell.Burst burst = (Cell.Burst) cell("grizzly", name);
        assertThat(burst.requests()).isEqualTo(1000);
        assertThat(burst.connections()).isEqualTo(300);
        assertThat(burst.runs()).isEqualTo(runs);
        assertThat(burst.published()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "httperf, static",
        "httperf, servlet",
        "httperf, servlet-moderate",
        "httperf, jsp",
        "httperf, jsp-moderate",
        "proxy, ramp",
        "fastcgi, ramp"
    })
    void rampsHaveTheRatesOfThePaper(String scenario, String name) throws IOException {
        Cell.Ramp ramp = (Cell.Ramp) cell(scenario, name);
        assertThat(ramp.paper()).isEqualTo(new Cell.Ramp.Steps(50, 1000, 10, 150, 5000, 5000));
        assertThat(ramp.usual()).isEqualTo(new Cell.Ramp.Steps(50, 1000, 190, 5, 1000, 1000));
        assertThat(ramp.factor()).isEqualTo(1.25);
        assertThat(ramp.timeoutMillis()).isEqualTo(5000);
        assertThat(ramp.gateReplies()).isEqualTo(0.9);
    }

    @ParameterizedTest
    @CsvSource({"plaintext, hello, false", "json, item, false", "query, item, true"})
    void todayHasServletsWithWhatTheyNeed(String name, String request, boolean database)
            throws IOException {
        TodayCell.Servlet servlet = (TodayCell.Servlet) cell("today", name);
        assertThat(servlet.request()).isEqualTo(request);
        assertThat(servlet.database()).isEqualTo(database);
        assertThat(servlet.connections()).isEqualTo(64);
        assertThat(servlet.peers()).contains("serval", "grizzly").doesNotContain("nginx");
    }

    @Test
    void todayHasIdleConnectionsTailsAndStarts() throws IOException {
        TodayCell.Crowd crowd = (TodayCell.Crowd) cell("today", "idle");
        assertThat(crowd.busy()).isEqualTo(64);
        assertThat(crowd.idle()).isEqualTo(10_000);
        assertThat(crowd.peers()).as("all").isEmpty();
        TodayCell.Crowd ofStatic = (TodayCell.Crowd) cell("static", "idle");
        assertThat(ofStatic.idle()).isEqualTo(10_000);
        assertThat(ofStatic.gateBytes()).isEqualTo(4096);
        assertThat(ofStatic.gateRatio()).isEqualTo(1.05);
        TodayCell.Tail tail = (TodayCell.Tail) cell("today", "half");
        assertThat(tail.share()).isEqualTo(0.5);
        assertThat(((Cell.Start) cell("today", "start")).war()).isEqualTo(Cell.WarKind.SUITE);
        assertThat(Scenario.named("today").peers()).contains("serval", "nginx", "jetty");
    }

    @Test
    void cellsOfTodayThatCannotBeMeasuredAreRefused() throws IOException {
        String today = text("today");
        assertRefused(today.replace("\"request\": \"item\"", "\"request\": \"row\""), "'row'");
        assertRefused(today.replace("\"busy\": 64", "\"busy\": 0"), "positive");
        assertRefused(today.replace("\"idle\": 10000", "\"idle\": 0"), "positive");
        assertRefused(
                today.replace("\"file\": \"4k.bin\", \"busy\"", "\"file\": \"5k.bin\", \"busy\""),
                "5k.bin");
        assertRefused(today.replace("\"share\": 0.5", "\"share\": 1.1"), "share");
        assertRefused(today.replace("\"users\": 64", "\"users\": 0"), "must be users");
        assertRefused(
                today.replace(
                        "\"file\": \"4k.bin\", \"users\"", "\"file\": \"nothing\", \"users\""),
                "nothing");
        String noFloor = today.replace(", \"13.txt\": 13", "");
        assertRefused(noFloor, "13.txt");
        assertRefused(noFloor.replace("\"kind\": \"tail\"", "\"kind\": \"absent\""), "absent");
    }

    @ParameterizedTest
    @CsvSource({"file, 8, 3", "servlet, 6, 16"})
    void sympathyHasTheRequestsOfThePaper(String name, int peers, int figures) throws IOException {
        PipelinedCell cell = (PipelinedCell) cell("sympathy", name);
        assertThat(cell.requests()).isEqualTo(1_000_000);
        assertThat(cell.requests(Settings.PAPER)).isEqualTo(1_000_000);
        assertThat(cell.requests(Settings.FULL)).isEqualTo(1_000_000);
        assertThat(cell.requests(Settings.QUICK)).isEqualTo(100_000);
        assertThat(cell.requests(Settings.SHORT)).isEqualTo(1_000_000);
        assertThat(cell.heapMegabytes()).isEqualTo(1024);
        List<String> all = Scenario.named("sympathy").peers();
        assertThat(cell.peers().isEmpty() ? all : cell.peers()).hasSize(peers);
        assertThat(cell.published())
                .hasSize(figures)
                .extracting(Published::measure)
                .contains("elapsed for a million requests", "allocated for a million requests");
    }

    @ParameterizedTest
    @CsvSource({"sessions-memory, MEMORY", "sessions-files, FILES", "sessions-database, DATABASE"})
    void sessionsHaveTheCasesOfThePaper(String name, SessionsCell.Store store) throws IOException {
        SessionsCell sessions = (SessionsCell) cell("httperf", name);
        assertThat(sessions.store()).isEqualTo(store);
        assertThat(sessions.paperTimeouts()).containsExactly(100, 10);
        assertThat(sessions.sessions()).isEqualTo(100_000);
        assertThat(sessions.images()).isEqualTo(3);
        assertThat(sessions.ramp(true).name()).isEqualTo(name + "-logout");
        assertThat(sessions.ramp(false).name()).isEqualTo(name + "-stay");
        assertThat(sessions.ramp(false).timeoutMillis()).isEqualTo(5000);
        assertThat(sessions.ramp(false).gateReplies()).isEqualTo(0.9);
    }

    @Test
    void rampCountsFromTheFirstRateToTheLast() {
        Cell.Ramp.Steps steps = new Cell.Ramp.Steps(50, 1000, 190, 5, 1000, 1000);
        assertThat(steps.rates()).containsExactly(50.0, 240.0, 430.0, 620.0, 810.0, 1000.0);
        assertThat(steps.atMost(7)).isEqualTo(steps);
        assertThat(steps.atMost(3)).isEqualTo(new Cell.Ramp.Steps(50, 1000, 190, 3, 1000, 1000));
        Cell.Ramp.Steps quick = steps.quick(1);
        assertThat(quick.rates()).containsExactly(50.0, 1000.0);
        assertThat(quick.seconds()).isEqualTo(1);
        assertThat(quick.pauseMillis()).isEqualTo(100);
    }

    @Test
    void stepsThatDoNotRiseAreRefused() {
        assertThatThrownBy(() -> new Cell.Ramp.Steps(50, 40, 10, 5, 0, 1000))
                .isInstanceOf(BenchFailure.class);
        assertThatThrownBy(() -> new Cell.Ramp.Steps(50, 100, 0, 5, 0, 1000))
                .isInstanceOf(BenchFailure.class);
        assertThatThrownBy(() -> new Cell.Ramp.Steps(50, 100, 10, 5, 0, 5001))
                .isInstanceOf(BenchFailure.class);
    }

    @Test
    void collectorReplacesAnEarlierOne() {
        assertThat(Cell.Collector.ZGC.options())
                .containsExactly(
                        "-XX:-UseSerialGC", "-XX:-UseParallelGC", "-XX:-UseG1GC", "-XX:+UseZGC");
    }

    @Test
    void cellsThatCannotBeMeasuredAreRefused() throws IOException {
        String jigsaw = text("jigsaw");
        assertRefused(jigsaw.replace("[8, 12, 16,", "[8, 16, 12,"), "heaps must ascend");
        assertRefused(
                jigsaw.replace("\"ampleMegabytes\": 256", "\"ampleMegabytes\": 128"), "heaps");
        assertRefused(jigsaw.replace("\"of\": \"2.a\"", "\"of\": \"1.a\""), "only the client");
        assertRefused(
                jigsaw.replace(
                        "\"peers\": [\"serval\", \"tomcat\", \"jetty\"]", "\"peers\": [\"x\"]"),
                "no peer 'x'");
        assertRefused(jigsaw.replace("\"10k.bin\", \"40k.bin\"]", "\"11k.bin\"]"), "11k.bin");
        assertRefused(
                jigsaw.replace("\"more\": [],", "\"more\": [\"10k.bin\"],"), "wrk and ab cannot");
        assertRefused(
                jigsaw.replace(
                        "\"file\": \"4k.bin\", \"more\": [\"",
                        "\"file\": \"hello\", \"more\": [\""),
                "only files can be requested in turn");
        assertRefused(
                jigsaw.replace("\"peers\": [], \"of\": \"2.a\"", "\"peers\": [], \"of\": \"2.c\""),
                "no load cell '2.c'");
        assertRefused(jigsaw.replace("\"paperSeconds\": 600", "\"paperSeconds\": 0"), "positive");
        String grizzly = text("grizzly");
        assertRefused(grizzly.replace("\"requests\": 1000", "\"requests\": 299"), "suffice");
        assertRefused(grizzly.replace("\"file\": \"2k.bin\"", "\"file\": \"3k.bin\""), "3k.bin");
        assertRefused(
                grizzly.replace("\"answer\": \"hello\"", "\"answer\": \"members\""),
                "no file 'hello'");
        assertRefused(grizzly.replace("\"runs\": 13", "\"runs\": 0"), "positive");
        String sympathy = text("sympathy");
        assertRefused(sympathy.replace("\"requests\": 1000000", "\"requests\": 9"), "positive");
        assertRefused(
                sympathy.replace("\"heapMegabytes\": 1024", "\"heapMegabytes\": 0"), "positive");
        assertRefused(sympathy.replace("\"file\": \"1k.bin\"", "\"file\": \"2k.bin\""), "2k.bin");
        assertRefused(
                sympathy.replace("\"answer\": \"hello\"", "\"answer\": \"members\""),
                "no file 'hello'");
        String httperf = text("httperf");
        assertRefused(httperf.replace("\"addresses\": 16", "\"addresses\": 0"), "positive");
        assertRefused(
                httperf.replace("\"timeoutMillis\": 5000", "\"timeoutMillis\": 0"), "positive");
        assertRefused(httperf.replace(", \"13.txt\": 13", ""), "13.txt");
        assertRefused(httperf.replace("\"factor\": 1.25", "\"factor\": 1"), "factor");
        assertRefused(httperf.replace("\"timeouts\": [30", "\"timeouts\": [0"), "timeouts");
        assertRefused(
                httperf.replace("\"paperTimeouts\": [100", "\"paperTimeouts\": [0"), "timeouts");
        assertRefused(httperf.replace("\"thinkSeconds\": 1", "\"thinkSeconds\": 0"), "positive");
        assertRefused(httperf.replace("\"sessions\": 100000", "\"sessions\": 3"), "positive");
        assertRefused(httperf.replace("\"images\": 3", "\"images\": 0"), "positive");
        assertRefused(httperf.replace("\"image\": \"1k.bin\"", "\"image\": \"a\""), "'a'");
        assertRefused(httperf.replace("\"file\": \"line\"", "\"file\": \"nothing\""), "nothing");
    }

    private static Cell servletCell(String name) throws IOException {
        return cell("servlet", name);
    }

    private static Cell cell(String scenario, String name) throws IOException {
        return Scenario.named(scenario).cells().stream()
                .filter(cell -> cell.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void abSendsNoContentAndNoCookie() throws IOException {
        String json = text("servlet");
        assertThat(json).contains("\"client\": \"wrk\"");
        assertRefused(
                json.replace("\"client\": \"wrk\"", "\"client\": \"ab\""),
                "form-500: ab sends only a plain GET");
    }

    @Test
    void rejectsAMisspeltField() throws IOException {
        assertRefused(
                "\"connections\": 64,", "\"connections\": 64, \"conections\": 65,", "conections");
    }

    @Test
    void rejectsAMissingField() throws IOException {
        assertRefused("\"aim\": 0.75, ", "", "aim");
    }

    @Test
    void rejectsAMissingFile() throws IOException {
        assertRefused("\"file\": \"4k.bin\"", "\"file\": \"5k.bin\"", "5k.bin");
    }

    @Test
    void rejectsLoadThatWrkCannotMake() throws IOException {
        assertRefused(
                "\"pipeline\": 1, \"client\": \"wrk\"",
                "\"pipeline\": 2, \"client\": \"wrk\"",
                "wrk");
    }

    @Test
    void unknownNameListsScenarios() {
        assertThatThrownBy(() -> Scenario.named("statik"))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("static");
    }

    private static void assertRefused(String right, String wrong, String named) throws IOException {
        String json = text("static");
        assertThat(json).contains(right);
        assertRefused(json.replace(right, wrong), named);
    }

    private static void assertRefused(String json, String named) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Scenario.parse(new ByteArrayInputStream(bytes)))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining(named);
    }

    private static String text(String scenario) throws IOException {
        try (InputStream in = Scenario.class.getResourceAsStream(scenario + ".json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
