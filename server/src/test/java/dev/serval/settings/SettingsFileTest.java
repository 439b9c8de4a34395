package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.coding.Compression;
import dev.serval.coding.MediaTypeSet;
import dev.serval.file.Links;
import dev.serval.gateway.neighbour.Neighbour;
import dev.serval.policy.AddressRange;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.policy.LoadRow;
import dev.serval.policy.TrustedProxies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsFileTest {
    @TempDir Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("site"));
        Files.createDirectories(folder.resolve("shop/WEB-INF"));
    }

    private RunOptions right(String text) throws IOException {
        return new WrittenFile(folder).right(text);
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private List<String> wrong(String text) throws IOException {
        return new WrittenFile(folder).wrong(text);
    }

    @Test
    void emptyFileMeansTheDefaults() throws IOException {
        RunOptions options = right("");
        assertThat(options.served()).isEqualTo(MountChoice.NOTHING);
        assertThat(options.engine()).isEqualTo(EngineChoice.STANDARD);
        assertThat(options.apps()).isEqualTo(AppChoice.standard());
    }

    @Test
    void readsServerListenersAndLimits() throws IOException {
        EngineChoice engine =
                right(
                                """
                                [server]
                                loops = 3
                                transport = "nio"
                                stop-time = "1m"
                                [limits]
                                content = "1m"
                                idle-time = "20s"
                                connections-per-address = 7
                                [[listener]]
                                address = "8081"
                                [[listener]]
                                address = "[::1]:8082"
                                backlog = 9
                                limits = { content = "2m" }
                                [[listener]]
                                address = "unix:/run/x.sock"
                                """)
                        .engine();
        assertThat(engine.loops()).isEqualTo(3);
        assertThat(engine.transport()).isEqualTo("nio");
        assertThat(engine.stopTime()).isEqualTo(Duration.ofMinutes(1));
        assertThat(engine.addresses())
                .containsExactly(
                        at("127.0.0.1", 8081),
                        at("::1", 8082),
                        UnixDomainSocketAddress.of("/run/x.sock"));
        assertThat(engine.limits().content().maxBytes()).isEqualTo(1 << 20);
        assertThat(engine.limits().counts().perAddressMax()).isEqualTo(7);
        assertThat(engine.limits().pace().idleNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(20));
        assertThat(engine.limits().head()).isEqualTo(Limits.Heads.DEFAULT);
        ListenerChoice second = engine.listeners().get(1);
        assertThat(second.backlog()).isEqualTo(9);
        Limits own = Objects.requireNonNull(second.limits());
        assertThat(own.content().maxBytes()).isEqualTo(2 << 20);
        assertThat(own.counts().perAddressMax()).isEqualTo(7);
        assertThat(engine.listeners().getFirst().limits()).isNull();
    }

    @Test
    void readsRatesOfClients() throws IOException {
        RunOptions options =
                right(
                        """
                        [limits]
                        rate = "100/s"
                        rate-except = ["10.0.0.0/8", "::1"]
                        [[listener]]
                        address = "8081"
                        limits = { rate = "6/m" }
                        [[listener]]
                        address = "8082"
                        limits = { rate = "none", rate-burst = 7 }
                        [[mount]]
                        folder = "site"
                        limits = { rate = "7200/h", rate-burst = 9 }
                        """);
        List<AddressRange> inside = List.of(AddressRange.of("10.0.0.0/8"), AddressRange.of("::1"));
        long second = TimeUnit.SECONDS.toNanos(1);
        assertThat(options.engine().limits().rate())
                .isEqualTo(new Limits.Rates(100, second, 100, 16_384, inside));
        List<ListenerChoice> listeners = options.engine().listeners();
        assertThat(Objects.requireNonNull(listeners.getFirst().limits()).rate())
                .isEqualTo(new Limits.Rates(6, 60 * second, 1, 16_384, inside));
        assertThat(Objects.requireNonNull(listeners.getLast().limits()).rate().begin()).isNull();
        assertThat(options.served().rules().values())
                .singleElement()
                .satisfies(rules ->
                        assertThat(rules.limits().rate())
                                .isEqualTo(
                                        new Limits.Rates(
                                                7200, 3600 * second, 9, 16_384, List.of())));
    }

    @Test
    void readsHowLoadBalancersLearnOfAStop() throws IOException {
        EngineChoice engine =
                right(
                                """
                                [server]
                                stop-delay = "15s"
                                ready-path = "/-/ready"
                                health-path = "/-/health"
                                """)
                        .engine();
        assertThat(engine.readiness())
                .isEqualTo(
                        new EngineChoice.Readiness(
                                Duration.ofSeconds(15), "/-/ready", "/-/health"));
    }

    @Test
    void readsLoadModes() throws IOException {
        EngineChoice engine =
                right(
                                """
                                [load]
                                mode = "heavy"
                                refuse = "reset"
                                refusing = 20
                                [load.light]
                                queue-time = "3s"
                                returning-queue-time = "4s"
                                [load.normal]
                                delay = "7ms"
                                [load.critical]
                                connections = 90
                                idle-time = "2s"
                                keep-alive = true
                                queue-time = "50ms"
                                returning-queue-time = "60ms"
                                [[listener]]
                                address = "8081"
                                limits = { content = "2m" }
                                """)
                        .engine();
        Limits.Loads usual = Limits.Loads.DEFAULT;
        Limits.Loads expected =
                usual.with(draft -> {
                    draft.forced = LoadMode.HEAVY;
                    draft.resets = true;
                    draft.refusingPercent = 20;
                    draft.light =
                            usual.light()
                                    .withWaitNanos(
                                            TimeUnit.SECONDS.toNanos(3),
                                            TimeUnit.SECONDS.toNanos(4));
                    draft.normal = usual.normal().from(TimeUnit.MILLISECONDS.toNanos(7), 50);
                    draft.critical =
                            new LoadRow(
                                    TimeUnit.MILLISECONDS.toNanos(500),
                                    90,
                                    TimeUnit.SECONDS.toNanos(2),
                                    true,
                                    TimeUnit.MILLISECONDS.toNanos(50),
                                    TimeUnit.MILLISECONDS.toNanos(60));
                });
        assertThat(engine.limits().load()).isEqualTo(expected);
        Limits own = Objects.requireNonNull(engine.listeners().getFirst().limits());
        assertThat(own.load()).isEqualTo(expected);
    }

    @Test
    void contentOfAMountIsInPlaceOfThatOfEachListener() throws IOException {
        RunOptions options =
                right(
                        """
                        limits.content = "1m"
                        [[listener]]
                        address = "8081"
                        [[listener]]
                        address = "8082"
                        limits = { content = "2m" }
                        [[mount]]
                        folder = "site"
                        limits.content = "20m"
                        [[mount]]
                        at = "/other"
                        folder = "site"
                        """);
        Limits limits = options.engine().limits();
        Limits own = Objects.requireNonNull(options.engine().listeners().get(1).limits());
        assertThat(limits.content().maxBytes()).isEqualTo(1 << 20);
        assertThat(limits.content().mountMaxBytes()).isEqualTo(20 << 20);
        assertThat(own.content().maxBytes()).isEqualTo(2 << 20);
        assertThat(own.content().mountMaxBytes()).isEqualTo(20 << 20);
        assertThat(options.served().rules()).containsOnlyKeys(Place.at("/"));
    }

    @Test
    void pathsOfLrwpAreRelativeToItsFolder() throws IOException {
        Files.writeString(folder.resolve("osp.pass"), "passphrase\n");
        RunOptions options =
                right(
                        """
                        [lrwp]
                        listen = ["unix:lrwp.sock", "1081"]
                        allow = ["osp=osp.pass"]
                        """);
        assertThat(options.lrwp().addresses())
                .containsExactly(
                        UnixDomainSocketAddress.of(folder.resolve("lrwp.sock")),
                        at("127.0.0.1", 1081));
    }

    @Test
    void whatAStartWouldRefuseIsReportedAtItsPlace() throws IOException {
        assertThat(wrong("[[listener]]\naddress = 'unix:no/s.sock'"))
                .containsExactly(
                        "serval.toml:2:1: There is no folder no for the socket of address: create it,"
                                + " or choose another.");
        assertThat(wrong("[lrwp]\nlisten = 'unix:no/s.sock'"))
                .singleElement()
                .asString()
                .contains("There is no folder no for the socket of listen");
        assertThat(wrong("admin.listen = 'unix:no/s.sock'"))
                .singleElement()
                .asString()
                .contains("There is no folder no for the socket of listen");
        String users = "applications.users = 'users.txt'\n";
        assertThat(wrong(users)).as("without an application").isEmpty();
        assertThat(wrong(users + "[[mount]]\napp = 'shop'"))
                .containsExactly(
                        "serval.toml:1:1: There is no users file users.txt that this user may read:"
                                + " create it by serval user add users.txt NAME.");
    }

    @Test
    void readsMountsOfHostsRelativeToItsFolder() throws IOException {
        MountChoice served =
                right(
                                """
                                [files]
                                charset = "iso-8859-1"
                                [[mount]]
                                folder = "site"
                                files.index = ["a.html", "b.html"]
                                [[mount]]
                                at = "/shop/"
                                app = "shop"
                                [[mount]]
                                at = "/api"
                                proxy = ["http://127.0.0.1:9000", "127.0.0.1:9001"]
                                upstream = { connections = 7, answer-time = "3s", check = "/h" }
                                [[host]]
                                name = ["WWW.example.org", "*.example.net"]
                                [[host.mount]]
                                folder = "site"
                                """)
                        .served();
        assertThat(served.mounts())
                .extracting(mount -> mount.place() + " " + mount.application())
                .containsExactly(
                        "/ false", "/shop true", "www.example.org/ false", "*.example.net/ false");
        Mount first = served.mounts().getFirst();
        assertThat(first.path()).isEqualTo(folder.resolve("site"));
        assertThat(first.files().textCharset()).isEqualTo("iso-8859-1");
        assertThat(first.files().indexNames()).containsExactly("a.html", "b.html");
        NeighbourMount api = served.neighbours().getFirst();
        assertThat(api.place()).isEqualTo(Place.at("/api"));
        assertThat(api.neighbour().addresses()).hasSize(2);
        assertThat(api.neighbour().limits().connectionsMax()).isEqualTo(7);
        assertThat(api.neighbour().limits().answerNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(3));
        assertThat(((Neighbour.Http) api.neighbour().kind()).check()).isNotNull();
    }

    @Test
    void readsApplicationsSessionsAndDatabases() throws IOException {
        RunOptions options =
                right(
                        """
                        [server]
                        state = "state"
                        [applications]
                        development = true
                        request-time = "30s"
                        encoding = "iso-8859-1"
                        users = "users.txt"
                        [applications.sessions]
                        store = "files"
                        timeout = "45m"
                        save = "stop"
                        allow = ["com.acme.**"]
                        [[data-source]]
                        name = "jdbc/shop"
                        url = "jdbc:h2:mem:shop"
                        user = "ada"
                        [lrwp]
                        listen = "1081"
                        allow = "osp"
                        """);
        AppChoice apps = options.apps();
        assertThat(apps.dev()).isTrue();
        assertThat(apps.requestTimeLimit()).isEqualTo(Duration.ofSeconds(30));
        assertThat(apps.encoding()).isEqualTo(StandardCharsets.ISO_8859_1);
        assertThat(apps.users()).isEqualTo(folder.resolve("users.txt"));
        assertThat(apps.logs()).isEqualTo(folder.resolve("state/logs"));
        assertThat(options.state()).isEqualTo(folder.resolve("state"));
        assertThat(apps.sessions())
                .isEqualTo(
                        new SessionChoice(
                                new SessionChoice.Place.Files(folder.resolve("state/sessions")),
                                Duration.ofMinutes(45),
                                true,
                                false,
                                List.of("com.acme.**")));
        assertThat(apps.sources().getFirst().name()).isEqualTo("jdbc/shop");
        assertThat(options.lrwp().addresses()).containsExactly(at("127.0.0.1", 1081));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[mount]]\\nat='/' | serval.toml:1:1: This mount serves nothing: it needs one of the keys folder, app, proxy, fastcgi, scgi, redirect.",
                "[[mount]]\\nfolder='site'\\napp='shop' | serval.toml:1:1: This mount has folder and app: it takes one of them. Write a [[mount]] for each.",
                "[[mount]]\\nfolder='site'\\n[[mount]]\\nat='/'\\nfolder='site' | serval.toml:4:1: Another mount is at /: give one of them another path.",
                "[[mount]]\\nfolder='nothing' | serval.toml:2:1: There is no \"nothing\".",
                "[[mount]]\\napp='site' | serval.toml:2:1: site is no application: it is neither a WAR nor has WEB-INF.",
                "[[mount]]\\nfolder='shop' | serval.toml:2:1: shop is an application: write app in place of folder.",
                "[[mount]]\\nat='/a//b'\\nfolder='site' | serval.toml:2:1: The prefix of \"/a//b\" has an empty segment, \".\" or \"..\": write /name or /name/name, such as /docs or /shop/help.",
                "[[mount]]\\nproxy='http://127.0.0.1'\\nupstream.tls.verify=false | serval.toml:2:1: upstream.tls has no effect here: write the addresses with https://.",
                "[[mount]]\\nproxy='https://127.0.0.1'\\nupstream.tls.verify=false\\nupstream.tls.authorities='a.pem' | serval.toml:4:1: authorities has no effect with verify = false: leave one of them out.",
                "[[mount]]\\nproxy=['https://127.0.0.1', 'http://127.0.0.1'] | serval.toml:2:1: \"http://127.0.0.1\": the addresses of a mount all begin with http://, or all with https://.",
                "[[mount]]\\nproxy='http://127.0.0.1:9'\\nupstream.root='site' | serval.toml:3:1: root does not exist for proxy: it is for fastcgi.",
                "[[host]]\\nname='-x'\\nredirect='/y' | serval.toml:2:1: A virtual host must be a name (www.example.org), a suffix (*.example.org), an IPv6 address in brackets, or * for the default, not \"-x\".",
                "[[listener]]\\naddress='8080'\\n[[listener]]\\naddress='127.0.0.1:8080' | serval.toml:4:1: Another listener has this address: once is enough.",
                "[[listener]]\\naddress='0.0.0.0:8080'\\n[[listener]]\\naddress='127.0.0.1:8080' | serval.toml:4:1: This address overlaps with that of another listener: 0.0.0.0 has all addresses of IPv4, and :: those of IPv4 and IPv6. Leave one of them out.",
                "[[listener]]\\naddress='0.0.0.0:80'\\n[[listener]]\\naddress='[::]:80' | serval.toml:4:1: This address overlaps with that of another listener: 0.0.0.0 has all addresses of IPv4, and :: those of IPv4 and IPv6. Leave one of them out.",
                "[[listener]]\\naddress='a:b' | serval.toml:2:1: address takes a port from 0 to 65535, an address and a port such as 0.0.0.0:8080 or [::1]:8080, or unix:FILE, not \"a:b\".",
                "[files]\\ncharset='xyz'\\n[[mount]]\\nfolder='site' | serval.toml:2:1: charset takes a charset such as \"utf-8\", not \"xyz\".",
                "[applications]\\nencoding='xyz' | serval.toml:2:1: encoding takes a charset such as \"UTF-8\", not \"xyz\".",
                "[applications.sessions]\\ntimeout='90s' | serval.toml:2:1: timeout takes whole minutes, such as \"45m\" or \"2h\".",
                "[lrwp]\\nallow='a' | serval.toml:1:1: [lrwp] has no effect without listen: add listen = \"1081\".",
                "[lrwp]\\nlisten='0.0.0.0:1081' | serval.toml:1:1: listen 0.0.0.0:1081 lets other machines register applications: name those that may be registered by allow NAME, or give a port alone to listen on 127.0.0.1.",
                "[[data-source]]\\nname='a'\\nurl='jdbc:x'\\n[[data-source]]\\nname='a'\\nurl='jdbc:y' | serval.toml:5:1: Another data source has the name a: once is enough.",
            })
    void saysWhatIsWrongAndWhere(String text, String sentence) throws IOException {
        assertThat(wrong(text.replace("\\n", "\n"))).containsExactly(sentence);
    }

    @Test
    void addressesThatDoNotOverlapMayHaveOnePort() throws IOException {
        assertThat(
                        wrong(
                                """
                                [[listener]]
                                address = "0.0.0.0:8080"
                                [[listener]]
                                address = "[::1]:8080"
                                [[listener]]
                                address = "[::]:8081"
                                """))
                .isEmpty();
    }

    @Test
    void reportsMistakesOfTheFileAndOfTheMachineTogether() throws IOException {
        assertThat(wrong("[server]\nlops = 2\n[[mount]]\nfolder = 'nothing'")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "try-files = 'index.html' | 4:1: The last file to try must begin with /",
                "try-files = ['$path', '=200'] | 4:1: The last file to try must begin with /",
                "try-files = [] | 4:1: The list of files to try needs a last path",
                "status = 301 | 4:1: status has no effect on folder: it is for redirect.",
                "upstream.check = '/' | upstream has no effect on folder: it is for proxy,",
                "compression.types = 'html' | 4:1: A media type must be such as application/json, text/* or +json, but is \"html\".",
                "compression.mode = 'gzip' | 4:1: mode takes off, precompressed, files or all, not \"gzip\".",
                "files.index = '..' | 4:1: index takes a file name without a folder, not \"..\".",
                "files.types = { a = 'text/plain charset=x' } | types.a takes a media type such as",
                "files.charset = 'ISO_8859-1:1987' | charset takes the name of a charset, such as",
                "access = 'allow 10.0.0' | 4:1: \"10.0.0\" is no address such as 10.0.0.5",
                "login = { users = 'site' } | 4:11: There is no users file site that this user may",
                "rewrite = [{ from = '(', to = '/x' }] | 4:14: The pattern ( is wrong: Unclosed group.",
                "rewrite = [{ from = '/a', to = 'x' }] | 4:27: A rewritten path must begin with / or a",
                "rewrite = [{ from = '/a', to = '/$1' }] | 4:27: The pattern /a has no group $1",
                "rewrite = [{ from = '/a', to = 'x', status = 301 }] | 4:27: A redirect leads to a path",
                "rewrite = [{ from = '/a', to = '/x', status = 304 }] | 4:38: ",
                "fields = { X = \"a\\nb\" } | takes the value of a field, in one line, not \"a\\u000ab\".",
            })
    void wrongRulesOfAMountAreReportedWithTheirPlace(String line, String message)
            throws IOException {
        List<String> wrong = wrong("[[mount]]\nfolder = 'site'\n\n" + line);
        assertThat(wrong).singleElement().asString().contains(message);
    }

    @Test
    void addressesOfListenersAreTaken() throws IOException {
        String listener = "[[listener]]\naddress = '0.0.0.0:80'\n";
        String lrwp = "[lrwp]\nallow = 'a'\nlisten = ";
        assertThat(wrong(listener + lrwp + "'127.0.0.1:80'"))
                .containsExactly(
                        "serval.toml:5:1: A listener has this address, too: choose another port.");
        assertThat(wrong(listener + "[admin]\nlisten = '127.0.0.1:80'"))
                .contains(
                        "serval.toml:4:1: A listener has this address, too: choose another port.");
        assertThat(right(lrwp + "'127.0.0.1:80'").lrwp().addresses()).hasSize(1);
    }

    @Test
    void realmIsOfAscii() throws IOException {
        assertThat(wrong("[[mount]]\nfolder = 'site'\nlogin = { users = 'u', realm = 'ü' }"))
                .last()
                .asString()
                .contains("realm takes 1 to 100 characters of ASCII without");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "proxy = 'http://127.0.0.1:9'\\nfiles.links = 'never' | files has no effect on proxy: it",
                "redirect = '/x/'\\nupstream.check = '/' | upstream has no effect on redirect: it is for",
                "at = '/a'\\nredirect = '/a/*' | 3:1: This redirect leads to its own mount, so that",
                "at = '/a'\\nredirect = '/a/b' | 3:1: This redirect leads to its own mount, so that",
                "folder = 5 | 2:1: folder takes the path of a file or folder in quotes, not 5.",
            })
    void wrongMountsAreReportedOnce(String lines, String message) throws IOException {
        String other = "\n[[mount]]\nat = '/x'\nfolder = 'site'\n";
        String text = "[[mount]]\n" + lines.replace("\\n", "\n") + other;
        assertThat(wrong(text)).singleElement().asString().contains(message);
    }

    @ParameterizedTest
    @CsvSource({"a.org:80", "a.*", "a b", "http://a.org", "''", "*.*.org", "a..org"})
    void refusesNamesThatNoHostCanHave(String name) throws IOException {
        assertThat(wrong("[[host]]\nname = '" + name + "'\nredirect = '/x'"))
                .contains(
                        "serval.toml:2:1: name takes a name such as \"www.example.org\" or"
                                + " \"*.example.org\", not \""
                                + name
                                + "\".");
    }

    @ParameterizedTest
    @CsvSource({"*", "*.a.org", "a", "A-1.b_c.org.", "[::1]", "10.0.0.1", "xn--4ca.org"})
    void takesNamesOfHosts(String name) throws IOException {
        right("[[host]]\nname = '" + name + "'\nmount = [{ folder = 'site' }]");
    }

    @Test
    void hostNeedsAName() throws IOException {
        assertThat(wrong("[[host]]\nname = []\nmount = [{ folder = 'site' }]"))
                .singleElement()
                .asString()
                .contains("2:1: name takes a name such as", "but this list is empty.");
    }

    @Test
    void redirectMayLeadToAnotherMount() throws IOException {
        right("[[mount]]\nredirect = '/x/'\n[[mount]]\nat = '/x'\nfolder = 'site'");
        right("[[mount]]\nat = '/a'\nredirect = '/ab/*'\n[[mount]]\nfolder = 'site'");
    }

    @Test
    void smallCacheKeepsOnlySmallFiles() throws IOException {
        Mount mount =
                right("files.cache-size = '64k'\n[[mount]]\nfolder = 'site'")
                        .served()
                        .mounts()
                        .getFirst();
        assertThat(mount.files().smallMaxBytes()).isEqualTo(16 << 10);
    }

    @Test
    void compressionOfAMountOverridesTheUsualOne() throws IOException {
        MountChoice served =
                right(
                                """
                                [compression]
                                mode = "precompressed"
                                types = ["+json", "text/*"]
                                level = 9
                                answer-level = 1
                                [[mount]]
                                folder = "site"
                                [[mount]]
                                at = "/shop"
                                app = "shop"
                                compression = { mode = "all", min-size = "2k", max-file = "1m" }
                                """)
                        .served();
        Compression usual = served.mounts().getFirst().files().compression();
        assertThat(usual)
                .isEqualTo(
                        Compression.DEFAULT.with(draft -> {
                            draft.scope = Compression.Scope.PRECOMPRESSED;
                            draft.types = MediaTypeSet.of(List.of("+json", "text/*"));
                            draft.level = 9;
                            draft.answerLevel = 1;
                        }));
        assertThat(served.appFiles().at(Place.at("/shop")).compression())
                .isEqualTo(
                        usual.with(draft -> {
                            draft.scope = Compression.Scope.ALL;
                            draft.minBytes = 2 << 10;
                            draft.fileMaxBytes = 1 << 20;
                        }));
        assertThat(
                        right("[[mount]]\nfolder = 'site'")
                                .served()
                                .mounts()
                                .getFirst()
                                .files()
                                .compression())
                .isEqualTo(Compression.DEFAULT);
    }

    @Test
    void filesOfAMountCountForItsScripts() throws IOException {
        RunOptions options =
                right(
                        "[[mount]]\nfastcgi = 'unix:/x'\nupstream.root = 'site'\n"
                                + "files.links = 'owner'");
        Neighbour.Fastcgi php =
                (Neighbour.Fastcgi) options.served().neighbours().getFirst().neighbour().kind();
        assertThat(php.files().links()).isEqualTo(Links.OWNER);
    }

    @Test
    void readsWhichProxiesAreBelieved() throws IOException {
        EngineChoice engine =
                right(
                                """
                                [server]
                                trusted-proxies = ["10.0.0.1", "unix"]
                                trusted-fields = "forwarded"
                                """)
                        .engine();
        assertThat(engine.trusted())
                .isEqualTo(
                        new TrustedProxies(
                                List.of(AddressRange.of("10.0.0.1")),
                                true,
                                TrustedProxies.Convention.FORWARDED));
        assertThat(right("server.trusted-fields = 'forwarded'").engine().trusted()).isNull();
    }

    @Test
    void emptyNameOfASocketIsReportedForItsKey() throws IOException {
        assertThat(wrong("[[listener]]\naddress = 'unix:'"))
                .singleElement()
                .asString()
                .contains("2:1: address unix: takes the path of the socket's file");
    }
}
