package dev.serval.bench.scenario;

import dev.serval.bench.hello.HelloServer;
import dev.serval.bench.hello.Hog;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/// A table of cells and peers with the same load, read from a JSON file.
///
/// @param paper the paper whose measurement this is, and what differs; empty for our own
/// @param log whether the servers write an access log in the Common Log Format
/// @param files files of the document root: name to length in bytes
/// @param requests requests to servlets by name. If there are any, the document root is also an
///     exploded WAR
/// @param peers by name, in the order of the columns
/// @param references peers: the subject is compared with the cheapest of them in a cell
/// @param floor peer that does the least work; reports show the subject as a multiple of it. Empty
///     for none
public record Scenario(
        String name,
        String title,
        String paper,
        boolean log,
        Map<String, Integer> files,
        Map<String, Request> requests,
        List<String> peers,
        String subject,
        List<String> references,
        String floor,
        List<Cell> cells) {
    /// The names of all scenarios.
    public static final List<String> NAMES = Resources.lines(Scenario.class, "names.txt");

    /// The file whose answer costs nearly nothing, in scenarios with a [Cell.Overload], a [Cell.Ramp],
    /// a [TodayCell.Tail] or a [SessionsCell]. A [Cell.Start] of the suite's application requests it.
    public static final String FLOOR = "13.txt";

    /// Reads cells. Every field must be present and known, because a misspelt one would silently
    /// change the measurement.
    public static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                    .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                    .build();

    /// Rejects cells that refer to missing files or cells.
    public Scenario {
        for (Cell cell : cells) {
            switch (cell) {
                case Cell.Load load -> requireLoad(load, files, requests);
                case Cell.Ready _ -> {}
                case Cell.Resident resident ->
                        resident.after().forEach(after -> loadCell(cells, after));
                case Cell.Allocated allocated -> loadCell(cells, allocated.of());
                case Cell.Rest rest -> loadCell(cells, rest.after());
                case Cell.Loops loops -> loadCell(cells, loops.of());
                case Cell.Latency latency -> {
                    requireKnown(files.containsKey(latency.file()), latency.file());
                    requireKnown(files.containsKey(HelloServer.PAGE), HelloServer.PAGE);
                    requireKnown(files.containsKey(Hog.FILE), Hog.FILE);
                }
                case Cell.Slow slow -> requireKnown(files.containsKey(slow.file()), slow.file());
                case Cell.Allocation allocation -> loadCell(cells, allocation.of());
                case Cell.Memory memory -> loadCell(cells, memory.after());
                case Cell.Variant variant -> loadCell(cells, variant.of());
                case Cell.Overload _ -> requireKnown(files.containsKey(FLOOR), FLOOR);
                case Cell.Start start ->
                        requireKnown(
                                start.war() != Cell.WarKind.SUITE || files.containsKey(FLOOR),
                                FLOOR);
                case Cell.Application _ -> {}
                case Cell.OfServers of -> {
                    requirePeers(of, peers);
                    requireServers(of, files, requests, cells);
                }
            }
        }
    }

    private static void requirePeers(Cell.OfServers cell, List<String> peers) {
        for (String peer : cell.peers()) {
            BenchFailure.require(
                    peers.contains(peer), cell.name() + ": no peer '" + peer + "' in the scenario");
        }
    }

    private static void requireServers(
            Cell.OfServers cell,
            Map<String, Integer> files,
            Map<String, Request> requests,
            List<Cell> cells) {
        switch (cell) {
            case Cell.Quiet quiet -> loadCell(cells, quiet.of());
            case Cell.Lasting lasting ->
                    BenchFailure.require(
                            loadCell(cells, lasting.of()).client() == Cell.ClientKind.OWN,
                            lasting.name() + ": only the client \"own\" can last");
            case Cell.Burst burst -> requirePlain(burst.file(), files, requests);
            case PipelinedCell pipelined -> requirePlain(pipelined.file(), files, requests);
            case Cell.Ramp ramp -> requireOpen(ramp.file(), files, requests);
            case TodayCell.Tail tail -> requireOpen(tail.file(), files, requests);
            case TodayCell.Servlet servlet ->
                    requireKnown(requests.containsKey(servlet.request()), servlet.request());
            case TodayCell.Crowd crowd ->
                    requireKnown(files.containsKey(crowd.file()), crowd.file());
            case SessionsCell sessions -> {
                requireKnown(files.containsKey(sessions.image()), sessions.image());
                requireKnown(files.containsKey(FLOOR), FLOOR);
            }
            case ShopCell _ -> {}
            case ProtocolCell protocol -> requireLoad(protocol.load(), files, requests);
        }
    }

    /// Checks what an open load requests, and what its generator requests to find its ceiling.
    private static void requireOpen(
            String file, Map<String, Integer> files, Map<String, Request> requests) {
        requireKnown(requests.containsKey(file) || files.containsKey(file), file);
        requireKnown(files.containsKey(FLOOR), FLOOR);
    }

    private static void requirePlain(
            String file, Map<String, Integer> files, Map<String, Request> requests) {
        @Nullable Request request = requests.get(file);
        requireKnown(request == null ? files.containsKey(file) : request.isPlain(), file);
    }

    /// Returns the scenario of this name.
    ///
    /// @throws BenchFailure if there is none
    public static Scenario named(String name) throws IOException {
        BenchFailure.require(
                NAMES.contains(name),
                "no scenario '" + name + "'; there are: " + String.join(", ", NAMES));
        try (InputStream in = Scenario.class.getResourceAsStream(name + ".json")) {
            return parse(Objects.requireNonNull(in, name));
        }
    }

    /// Parses a scenario.
    ///
    /// @throws BenchFailure if the text is not a scenario
    public static Scenario parse(InputStream json) {
        try {
            return JSON.readValue(json, Scenario.class);
        } catch (JacksonException e) {
            throw new BenchFailure("the file is not a scenario: " + e.getOriginalMessage(), e);
        }
    }

    /// Returns the servers that each cell compares, by the cell's name; none of a cell that measures only
    /// the subject.
    public Map<String, List<String>> compared() {
        Map<String, List<String>> compared = new LinkedHashMap<>();
        for (Cell cell : cells) {
            compared.put(
                    cell.name(),
                    switch (cell) {
                        case Cell.OfServal _, Cell.OfHandlers _ -> List.of();
                        case Cell.OfServers of when !of.peers().isEmpty() -> of.peers();
                        case Cell.Load _, Cell.OfContainers _, Cell.OfServers _ -> peers;
                    });
        }
        return compared;
    }

    /// Returns the load cell of this name.
    public Cell.Load loadCell(String cell) {
        return loadCell(cells, cell);
    }

    private static Cell.Load loadCell(List<Cell> cells, String name) {
        for (Cell cell : cells) {
            if (cell instanceof Cell.Load load && load.name().equals(name)) {
                return load;
            }
        }
        throw new BenchFailure("no load cell '" + name + "' in the scenario");
    }

    private static void requireLoad(
            Cell.Load load, Map<String, Integer> files, Map<String, Request> requests) {
        @Nullable Request request = requests.get(load.file());
        requireKnown(request != null || files.containsKey(load.file()), load.file());
        load.more().forEach(file -> requireKnown(files.containsKey(file), file));
        BenchFailure.require(
                request == null || load.more().isEmpty(),
                load.name() + ": only files can be requested in turn");
        BenchFailure.require(
                request == null || load.client() != Cell.ClientKind.AB || request.isPlain(),
                load.name() + ": ab sends only a plain GET, use client \"wrk\"");
    }

    private static void requireKnown(boolean known, String file) {
        BenchFailure.require(known, "no file '" + file + "' in the scenario");
    }
}
