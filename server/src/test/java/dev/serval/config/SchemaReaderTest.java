package dev.serval.config;

import static dev.serval.config.Configurations.mistakes;
import static dev.serval.config.Configurations.right;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SchemaReaderTest {
    @Test
    void readsEachKindOfValue() {
        Values values =
                right(
                        """
                        [server]
                        loops = 2
                        stop-time = "1m"
                        [limits]
                        content = "20m"
                        memory = 2097152
                        [files]
                        listing = true
                        index = "main.html"
                        types = { ".wasm" = "application/wasm" }
                        [[mount]]
                        folder = "site"
                        deny = ["*.inc", "/data/**"]
                        """);
        assertThat(values.table("server").number("loops")).isEqualTo(2);
        assertThat(values.table("server").time("stop-time")).isEqualTo(Duration.ofMinutes(1));
        assertThat(values.table("limits").number("content")).isEqualTo(20 << 20);
        assertThat(values.table("limits").number("memory")).isEqualTo(2 << 20);
        assertThat(values.table("files").flag("listing")).isTrue();
        assertThat(values.table("files").texts("index")).containsExactly("main.html");
        assertThat(values.table("files").names("types"))
                .isEqualTo(Map.of(".wasm", "application/wasm"));
        Values mount = values.tables("mount").getFirst();
        assertThat(mount.texts("deny")).containsExactly("*.inc", "/data/**");
        assertThat(mount.textOrNull("folder")).isEqualTo("site");
    }

    @Test
    void keysThatAreNotGivenHaveTheirDefaults() {
        Values values = right("");
        assertThat(values.table("server").time("stop-time")).isEqualTo(Duration.ofSeconds(5));
        assertThat(values.table("server").has("stop-time")).isFalse();
        assertThat(values.table("files").texts("index")).containsExactly("index.html");
        assertThat(values.table("server").textOrNull("state")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[server]\\nloop = 2 | serval.toml:2:1: There is no key loop in [server]: did you mean loops?",
                "[serwer]\\nloops = 2 | serval.toml:1:1: There is no key serwer at the top of the file: did you mean server?",
                "[limits]\\nidle_time = '3s' | serval.toml:2:1: There is no key idle_time in [limits]: did you mean idle-time?",
                "[[mount]]\\nproxy_pass = 'x' | serval.toml:2:1: There is no key proxy_pass in [[mount]]: here it is called proxy.",
                "[server]\\nserver_name = 'x' | serval.toml:2:1: There is no key server_name in [server]: here it is called name, in [[host]].",
                "root = 'x' | serval.toml:1:1: There is no key root at the top of the file: here it is called folder, in [[mount]].",
                "[[mount]]\\nroot = 'x' | serval.toml:2:1: There is no key root in [[mount]]: here it is called folder, or upstream.root beside fastcgi.",
                "[[mount]]\\nupstream.timeout = '5s' | serval.toml:2:1: There is no key timeout in [mount.upstream]: here it is called answer-time.",
                "timeout = '5s' | serval.toml:1:1: There is no key timeout at the top of the file: here it is called request-time, in [limits].",
                "listen = 80 | serval.toml:1:1: There is no key listen at the top of the file: did you mean listener?",
                "[server]\\nvhost = 'x' | serval.toml:2:1: There is no key vhost in [server]: here it is called [[host]].",
                "[[mount]]\\nlocation = '/x' | serval.toml:2:1: There is no key location in [[mount]]: here it is called at.",
                "[[mount]]\\nautoindex = true | serval.toml:2:1: There is no key autoindex in [[mount]]: here it is called listing, in [mount.files].",
                "[server]\\nbacklog = 3 | serval.toml:2:1: There is no key backlog in [server]: it belongs to [[listener]].",
                "[server]\\nloops = 0 | serval.toml:2:1: loops takes a number from 1 to 1024, not 0.",
                "[server]\\nloops = '2' | serval.toml:2:1: loops takes a number from 1 to 1024, not \"2\".",
                "[server]\\nloops = 1.5 | serval.toml:2:1: loops takes a number from 1 to 1024, not 1.5.",
                "[server]\\ntransport = 'epol' | serval.toml:2:1: transport takes auto, epoll or nio, not \"epol\".",
                "[limits]\\ncontent = '10mb' | serval.toml:2:1: content takes a size such as 500k, 10m or 2g, from 0 to 1024g, not \"10mb\".",
                "[limits]\\nidle-time = 5 | serval.toml:2:1: idle-time takes a time such as 500ms, 30s, 5m or 2h, at most 24h, not 5.",
                "[limits]\\nidle-time = '0' | serval.toml:2:1: idle-time takes a time such as 500ms, 30s, 5m or 2h, at most 24h, not \"0\".",
                "[limits]\\nidle-time = '25h' | serval.toml:2:1: idle-time takes a time such as 500ms, 30s, 5m or 2h, at most 24h, not \"25h\".",
                "[files]\\nlisting = 1 | serval.toml:2:1: listing takes true or false, not 1.",
                "[files]\\nindex = ['a', 3] | serval.toml:2:15: index takes a file name without a folder, not 3.",
                "[files]\\nindex = { a = 'b' } | serval.toml:2:1: index takes a file name without a folder, not a table.",
                "[files]\\ntypes = 'x' | serval.toml:2:1: types takes a table whose keys are extensions such as .wasm and whose values are a media type such as \"text/plain\", not \"x\".",
                "[[mount]]\\nerror-pages = { 300 = '/x' } | serval.toml:2:17: error-pages takes statuses from 400 to 599 as its keys, not \"300\".",
                "[[mount]]\\nfields = { 'X A' = 'b' } | serval.toml:2:12: fields takes names of fields as its keys, not \"X A\".",
                "[[host]] | serval.toml:1:1: [[host]] needs the key name, which takes a name such as \"www.example.org\" or \"*.example.org\", or a list of these.",
                "[[server]] | serval.toml:1:1: There is only one table server: write [server] once.",
                "server = 3 | serval.toml:1:1: server is a table: write [server] and its keys below.",
                "mount = [3] | serval.toml:1:10: mount is a table: write [[mount]] and its keys below.",
                "mount = 3 | serval.toml:1:1: mount is a table: write [[mount]] and its keys below.",
                "[server] loops | serval.toml:1:10: This is not TOML: Unexpected 'loops', expected a newline or end-of-input.",
                "[[data-source]]\\nname = 'a'\\nurl = 'x'\\npassword = 3 | serval.toml:3:1: url takes a URL that begins with jdbc:, not \"x\".",
            })
    void saysWhatIsWrongAndWhere(String text, String mistake) {
        assertThat(mistakes(text.replace("\\n", "\n"))).first().isEqualTo(mistake);
    }

    @Test
    void findsAllMistakesAtOnceUpToAHundred() {
        StringBuilder text = new StringBuilder("[server]\n");
        for (int i = 0; i < 130; i++) {
            text.append("zzz").append(i).append(" = 1\n");
        }
        assertThat(mistakes(text.toString()))
                .hasSize(101)
                .last()
                .isEqualTo("There are 30 more mistakes.");
    }

    @Test
    void takesTheMostAndTheLeastOfARange() {
        Values values =
                right(
                        """
                        [limits]
                        idle-time = "24h"
                        request-time = 0
                        connections = 1
                        content = "1024g"
                        """);
        assertThat(values.table("limits").time("idle-time")).isEqualTo(Duration.ofHours(24));
        assertThat(values.table("limits").time("request-time")).isEqualTo(Duration.ZERO);
        assertThat(values.table("limits").number("connections")).isEqualTo(1);
        assertThat(values.table("limits").number("content")).isEqualTo(1L << 40);
        assertThat(mistakes("[limits]\nrequest-time = 5")).hasSize(1);
        assertThat(mistakes("[limits]\ncontent = '1025g'")).hasSize(1);
    }

    @Test
    void showsControlCharactersAsTomlWritesThem() {
        assertThat(mistakes("[server]\ntransport = \"a\\u0007b\""))
                .singleElement()
                .asString()
                .endsWith("not \"a\\u0007b\".");
    }

    @Test
    void aListenerHasAnAddressInPlaceOfListen() {
        assertThat(mistakes("[[listener]]\nlisten = '80'"))
                .anyMatch(line -> line.endsWith("in [[listener]]: here it is called address."));
    }

    @Test
    void aVariableIsShownWithItsValue() {
        assertThat(mistakes("[limits]\ncontent = '${NONE:-lots}'"))
                .singleElement()
                .asString()
                .endsWith("from 0 to 1024g, not \"lots\", which is ${NONE:-lots}.");
    }

    @Test
    void aVariableThatIsMissingIsOneMistake() {
        assertThat(mistakes("[[mount]]\nfolder = '${NONE}'\n[server]\nstate = '${NONE'"))
                .hasSize(2)
                .allMatch(line -> line.contains("variable"));
    }

    @Test
    void aMistakeInATableOfNamesLeavesOutTheWrongOneOnly() {
        Mistakes mistakes = new Mistakes();
        String text = "[files]\ntypes = { '.a' = 'text/plain', '.b' = 3 }";
        Node.Table tree = Objects.requireNonNull(TomlFile.read("f", text, Map.of(), mistakes));
        Values values = SchemaReader.read(tree, Keys.ROOT, mistakes);
        assertThat(mistakes.all()).hasSize(1);
        assertThat(values.table("files").names("types")).containsOnlyKeys(".a");
    }

    @Test
    void neverPrintsAFieldForAnUpstream() {
        assertThat(mistakes("[[mount]]\nupstream.fields = { Authorization = 12345 }"))
                .singleElement()
                .asString()
                .contains("fields.Authorization takes")
                .doesNotContain("12345");
    }

    @Test
    void neverPrintsASecret() {
        assertThat(mistakes("[[data-source]]\nname = 'a'\nurl = 'jdbc:x'\npassword =" + " 12345"))
                .singleElement()
                .asString()
                .doesNotContain("12345");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${SET} | 5",
                "x${SET}y${SET} | x5y5",
                "${NONE:-7} | 7",
                "${EMPTY:-7} | 7",
                "${NONE:-} | ''",
                "$${SET} | ${SET}",
                "$SET | $SET",
            })
    void replacesVariables(String text, String value) {
        Mistakes mistakes = new Mistakes();
        Map<String, String> environment = Map.of("SET", "5", "EMPTY", "");
        assertThat(new Variables(environment).replace(text, "here", mistakes)).isEqualTo(value);
        assertThat(mistakes.none()).isTrue();
    }

    @Test
    void replacesVariablesInKeys() {
        Mistakes mistakes = new Mistakes();
        String text = "weights = { 'http://${A:-x}' = 3, 'http://${B:-y}' = 1 }";
        Node.Table read = Objects.requireNonNull(TomlFile.read("f", text, Map.of(), mistakes));
        assertThat(mistakes.none()).isTrue();
        assertThat(read.entries().get("weights"))
                .isInstanceOfSatisfying(
                        Node.Table.class,
                        weights ->
                                assertThat(weights.entries())
                                        .containsOnlyKeys("http://x", "http://y"));
        TomlFile.read("f", text.replace("-y", "-x"), Map.of(), mistakes);
        assertThat(mistakes.all())
                .singleElement()
                .asString()
                .contains("The key \"http://${B:-x}\" is \"http://x\", which another key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${NONE} | The environment has no variable NONE: set it, or write ${NONE:-DEFAULT}.",
                "${EMPTY} | The environment has no variable EMPTY: set it, or write ${EMPTY:-DEFAULT}.",
                "a${ | \"${\" is no variable: write ${NAME} or ${NAME:-DEFAULT}, or $${ for the characters ${ themselves.",
                "${A | \"${A\" is no variable: write ${NAME} or ${NAME:-DEFAULT}, or $${ for the characters ${ themselves.",
            })
    void reportsVariablesThatAreMissingOrWrong(String text, String mistake) {
        assertThat(mistakes("[[mount]]\nfolder = '" + text + "'"))
                .first()
                .isEqualTo("serval.toml:2:1: " + mistake);
    }

    @Test
    void variablesMayGiveNumbers() {
        Mistakes mistakes = new Mistakes();
        Values values = Configurations.read("[server]\nloops = '${N}'", Map.of("N", "3"), mistakes);
        assertThat(mistakes.lines()).isEmpty();
        assertThat(values.table("server").number("loops")).isEqualTo(3);
    }

    @Test
    void tablesMayBeLaidOverOthers() {
        Values values =
                right(
                        "[files]\ncharset='x'\nlisting=true\n[[mount]]\nfiles.charset='y'\nfolder='a'");
        Values files = values.tables("mount").getFirst().table("files").over(values.table("files"));
        assertThat(files.text("charset")).isEqualTo("y");
        assertThat(files.flag("listing")).isTrue();
        assertThat(files.flag("cache")).isTrue();
    }
}
