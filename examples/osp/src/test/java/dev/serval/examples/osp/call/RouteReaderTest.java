package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.osp.message.OspStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RouteReaderTest {
    private static RouteTable parse(String text) throws RouteFileException {
        return RouteReader.parse("routes.txt", text);
    }

    private static List<String> order(RouteTable table, String called, long seed, String... busy) {
        Route route = Objects.requireNonNull(table.route(called));
        return table.order(route, new Random(seed), Set.of(busy)).stream()
                .map(Destination::address)
                .toList();
    }

    @Test
    void readsEveryOption() throws RouteFileException {
        RouteTable table =
                parse(
                        """
                        # comment
                        route 1404 [192.0.2.1]:5060 weight=3 rate=0.012 per=30 currency=eur seconds=600 protocol=sip network=n7 # end

                        route * host.example
                        """);
        Destination first = table.routes().get(1).destinations().getFirst();
        assertThat(first.address()).isEqualTo("[192.0.2.1]:5060");
        assertThat(first.weight()).isEqualTo(3);
        assertThat(first.perSecond()).isEqualTo(0.0004);
        assertThat(first.currency()).isEqualTo("EUR");
        assertThat(first.seconds()).isEqualTo(600);
        assertThat(first.protocol()).isEqualTo("sip");
        assertThat(first.network()).isEqualTo("n7");
        Destination other = table.routes().getFirst().destinations().getFirst();
        assertThat(other.seconds()).isEqualTo(14_400);
        assertThat(other.weight()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"14045551234,1404", "1405,140", "15,1", "9,''", "1404,1404", "'',''"})
    void longestPrefixDecides(String called, String prefix) throws RouteFileException {
        RouteTable table =
                parse("route 1 a\nroute 140 b\nroute 1404 c\nroute 14041 d\nroute * e\n");
        assertThat(table.route(called))
                .isNotNull()
                .extracting(Route::prefix)
                .isEqualTo(called.startsWith("14041") ? "14041" : prefix);
    }

    @Test
    void withoutRouteOfEveryNumberThereMayBeNone() throws RouteFileException {
        assertThat(parse("route 1 a").route("2")).isNull();
    }

    @Test
    void refusesNumbersAndCallersByLongestPrefix() throws RouteFileException {
        RouteTable table =
                parse("route 1 a\nrefuse 1900 403\nsource 1666 405\nsource * 603\nlimit 7 5\n");
        assertThat(table.route("19001"))
                .isNotNull()
                .extracting(Route::status)
                .isEqualTo(OspStatus.ROUTE_BLOCKED);
        assertThat(table.refusal("16661")).isEqualTo(OspStatus.MAY_NOT_ORIGINATE);
        assertThat(table.refusal("2")).isEqualTo(OspStatus.DECLINED);
        assertThat(table.limit("77")).isEqualTo(new RouteTable.CallLimit("7", 5));
        assertThat(table.limit("8")).isNull();
    }

    @Test
    void cheapestComesFirstAndWeightZeroLast() throws RouteFileException {
        RouteTable table =
                parse(
                        """
                        route 1 dear rate=0.03
                        route 1 spare weight=0 rate=0
                        route 1 cheap rate=0.01 per=60
                        route 1 middle rate=0.01 per=30
                        """);
        for (int seed = 0; seed < 20; seed++) {
            assertThat(order(table, "1", seed)).containsExactly("cheap", "middle", "dear", "spare");
        }
        assertThat(order(table, "1", 1, "cheap"))
                .containsExactly("middle", "dear", "spare", "cheap");
    }

    @Test
    void equalPricesShareCallsByWeight() throws RouteFileException {
        RouteTable table = parse("route 1 a weight=3\nroute 1 b weight=1\n");
        int first = 0;
        Random random = new Random(42);
        Route route = Objects.requireNonNull(table.route("1"));
        for (int i = 0; i < 10_000; i++) {
            if (table.order(route, random, Set.of()).getFirst().address().equals("a")) {
                first++;
            }
        }
        assertThat(first).isBetween(7_300, 7_700);
    }

    @ParameterizedTest
    @CsvSource({
        "rout 1 a,use route",
        "route 1,route needs a prefix and an address",
        "refuse 1,refuse needs",
        "route 1x a,is not a prefix",
        "route 1 [1.1,is not an address",
        "route 1 a/b,is not an address",
        "route 1 a weight=x,weight is x: it must be a number from 0 to 10000",
        "route 1 a rate=-1,rate is -1",
        "route 1 a per=0,per is 0",
        "route 1 a currency=EU,three letters",
        "route 1 a colour=red,is not an option",
        "route 1 a weight,weight is weight",
        "route 1 a protocol=s<p,protocol is",
        "refuse 1 200,status is 200",
        "refuse 1 402,402 is not a status of OSP",
        "limit 1 0,calls a second is 0",
        "customer,one customer id"
    })
    void namesFileLineAndMistake(String line, String expected) {
        assertThatThrownBy(() -> parse("route 5 a\n\n" + line + "\n"))
                .isInstanceOf(RouteFileException.class)
                .hasMessageStartingWith("routes.txt:3: ")
                .hasMessageContaining(expected);
    }

    @Test
    void tableOfTheExampleIsRead() throws Exception {
        RouteTable table = RouteReader.read(Path.of("routes.txt"));
        assertThat(order(table, "16785551234", 1))
                .containsExactly("[192.0.2.1]:5060", "[192.0.2.2]:5060");
        assertThat(order(table, "1404", 1)).hasSize(3).last().isEqualTo("[192.0.2.5]:5060");
    }

    @Test
    void fileThatIsNotUtf8IsAMistake(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("routes.txt");
        Files.write(file, "# caf\u00e9\nroute 1 a\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> RouteReader.read(file))
                .isInstanceOf(RouteFileException.class)
                .hasMessage(file + ": the file is not UTF-8: save it as UTF-8");
    }

    @Test
    void reportsAllMistakesUpToALimit() {
        assertThatThrownBy(() -> parse("x\ny\n"))
                .hasMessageContaining(":1:")
                .hasMessageContaining(":2:");
        assertThatThrownBy(() -> parse("x\n".repeat(1000)))
                .satisfies(e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(20));
        assertThatThrownBy(() -> parse("# nothing\n")).hasMessageContaining("there is no route");
        assertThatThrownBy(() -> parse("route 1 a\nrefuse 1 404"))
                .hasMessageContaining("prefix 1 is both routed and refused");
    }
}
