package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.neighbour.Neighbour;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.FieldSetting;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.tls.TlsTarget;
import dev.serval.testkit.TestKeys;
import dev.serval.tls.KeyFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Mounts whose answers come from other servers.
final class NeighbourReaderTest {
    @TempDir private Path folder;

    private Neighbour neighbour(String text) throws IOException {
        return new WrittenFile(folder)
                .right("[[mount]]\n" + text)
                .served()
                .neighbours()
                .getFirst()
                .neighbour();
    }

    private ProxyTarget proxy(String upstream) throws IOException {
        Neighbour read = neighbour("proxy = 'http://127.0.0.1:9'\n[mount.upstream]\n" + upstream);
        return ((Neighbour.Http) read.kind()).target();
    }

    @Test
    void addressesHaveTheirWeightsAndRoles() throws IOException {
        Neighbour read =
                neighbour(
                        """
                        proxy = ["http://127.0.0.1:9", "http://127.0.0.1:10"]
                        [mount.upstream]
                        weights = { "http://127.0.0.1:9" = 3 }
                        backup = "http://127.0.0.1:10"
                        half-close = true
                        """);
        assertThat(read.addresses())
                .extracting(Neighbour.Place::share)
                .containsExactly(new Upstream.Share(3, false), new Upstream.Share(1, true));
        assertThat(read.limits().halfClose()).isTrue();
        assertThat(neighbour("proxy = 'http://127.0.0.1:9'").limits().halfClose()).isFalse();
    }

    @Test
    void readsTlsRelativeToTheFile() throws IOException {
        TestKeys keys = TestKeys.local();
        Files.copy(keys.certificate(), folder.resolve("ca.pem"));
        Files.copy(keys.store(), folder.resolve("own.p12"));
        Files.writeString(folder.resolve("pass"), TestKeys.PASSPHRASE);
        Neighbour read =
                neighbour(
                        """
                        proxy = "https://127.0.0.1"
                        upstream.tls.authorities = "ca.pem"
                        upstream.tls.name = "app.test"
                        upstream.tls.certificate = "own.p12"
                        upstream.tls.passphrase-file = "pass"
                        """);
        assertThat(read.addresses().getFirst().addresses())
                .containsExactly(new InetSocketAddress(InetAddress.getLoopbackAddress(), 443));
        assertThat(((Neighbour.Http) read.kind()).tls())
                .isEqualTo(
                        new TlsTarget(
                                true,
                                folder.resolve("ca.pem"),
                                "app.test",
                                new KeyFiles(
                                        folder.resolve("own.p12"), null, folder.resolve("pass"))));
        assertThat(((Neighbour.Http) neighbour("proxy = 'https://127.0.0.1'").kind()).tls())
                .isEqualTo(TlsTarget.DEFAULT);
        assertThat(
                        ((Neighbour.Http)
                                        neighbour(
                                                        "proxy = 'https://127.0.0.1'\n"
                                                                + "upstream.tls.verify = false")
                                                .kind())
                                .tls())
                .isEqualTo(new TlsTarget(false, null, null, null));
    }

    @Test
    void emptyFieldIsRemoved() throws IOException {
        assertThat(proxy("fields = { X-A = '', X-B = '$client' }").fields())
                .containsExactlyInAnyOrder(
                        new FieldSetting("X-A", null), new FieldSetting("X-B", "$client"));
    }

    @Test
    void variablesReachFastcgiAndScgi() throws IOException {
        OwnVariable own = new OwnVariable("GIT_PROJECT_ROOT", "/srv/git");
        String upstream = "upstream.variables = { GIT_PROJECT_ROOT = '/srv/git' }";
        Neighbour.Kind fastcgi = neighbour("fastcgi = '127.0.0.1:9'\n" + upstream).kind();
        assertThat(((Neighbour.Fastcgi) fastcgi).target().variables()).containsExactly(own);
        Neighbour.Kind scgi = neighbour("scgi = '127.0.0.1:9'\n" + upstream).kind();
        assertThat(((Neighbour.Scgi) scgi).variables()).containsExactly(own);
    }

    @Test
    void contentIsSentInChunksUnlessTheFileForbidsIt() throws IOException {
        String proxy = "proxy = 'http://127.0.0.1:9'\n";
        Neighbour.Kind usual = neighbour(proxy).kind();
        assertThat(((Neighbour.Http) usual).target().chunked()).isTrue();
        Neighbour.Kind counted = neighbour(proxy + "upstream.chunked = false").kind();
        assertThat(((Neighbour.Http) counted).target().chunked()).isFalse();
    }

    @Test
    void folderOfSentFilesIsRelativeToTheFile() throws IOException {
        Path sent = Files.createDirectory(folder.resolve("sent"));
        String upstream = "upstream.send = 'sent'";
        Neighbour.Kind proxy = neighbour("proxy = 'http://127.0.0.1:9'\n" + upstream).kind();
        assertThat(((Neighbour.Http) proxy).target().sendRoot()).isEqualTo(sent);
        Neighbour.Kind scgi = neighbour("scgi = '127.0.0.1:9'\n" + upstream).kind();
        assertThat(((Neighbour.Scgi) scgi).sent()).isEqualTo(sent);
    }

    @Test
    void variablesDoNotExistForProxy() throws IOException {
        assertThat(
                        new WrittenFile(folder)
                                .wrong(
                                        "[[mount]]\nproxy = '127.0.0.1:9'\n[mount.upstream]\n"
                                                + "variables = { A = 'b' }"))
                .containsExactly(
                        "serval.toml:4:1: variables does not exist for proxy: it is for fastcgi"
                                + " and scgi.");
    }

    @Test
    void locationAndCookiesAreRewrittenTogether() throws IOException {
        for (boolean rewrites : new boolean[] {true, false}) {
            ProxyTarget target = proxy("location = '" + (rewrites ? "rewrite" : "keep") + "'");
            assertThat(target.redirects().usual()).isEqualTo(rewrites);
            assertThat(target.cookiePaths().usual()).isEqualTo(rewrites);
            assertThat(target.cookieDomains().usual()).isEqualTo(rewrites);
        }
    }

    @Test
    void rootOfAnotherMachineIsNotSearchedHere() throws IOException {
        Neighbour read =
                neighbour(
                        "fastcgi = '127.0.0.1:9'\nupstream = { root = '/srv/../www', remote = true }");
        assertThat(((Neighbour.Fastcgi) read.kind()).target().root())
                .isEqualTo(Path.of("/srv/../www"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "weights = { '127.0.0.1:8' = 2 } | weights names \"127.0.0.1:8\", which is not among the addresses of fastcgi: write it as there.",
                "backup = '127.0.0.1:8' | backup names \"127.0.0.1:8\", which is not among the addresses of fastcgi: write it as there.",
                "sticky = 'x' | sticky does not exist for fastcgi: it is for proxy.",
                "variables = { A = '$uri' } | The value of the variable A is a fixed text: write $$ for a dollar sign.",
            })
    void refusesWhatIsNotOfThisMount(String key, String sentence) throws IOException {
        assertThat(
                        new WrittenFile(folder)
                                .wrong(
                                        "[[mount]]\nfastcgi = '127.0.0.1:9'\n[mount.upstream]\n"
                                                + key))
                .containsExactly("serval.toml:4:1: " + sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "proxy | http://127.0.0.1:9/ | an address has no path here: write \"http://127.0.0.1:9\", and upstream.path = \"/\" if it takes the place of the mount's path.",
                "proxy | 127.0.0.1:9/base | an address has no path here: write \"127.0.0.1:9\", and upstream.path = \"/base\" if it takes the place of the mount's path.",
                "proxy | http://127.0.0.1:9?queue=1 | an address has no options here: they are keys, such as upstream.answer-time = \"30s\".",
                "proxy | http://127.0.0.1:9,127.0.0.1:8 | a file has a list of addresses: write each of them in its own quotes, as in [\"127.0.0.1:9000\", \"127.0.0.1:9001\"].",
                "fastcgi | /run/php.sock | a Unix-domain socket begins with unix: as in unix:/run/php.sock.",
                "fastcgi | http://127.0.0.1:9 | fastcgi takes addresses without a scheme, such as 127.0.0.1:9000.",
                "scgi | 127.0.0.1:9/x | an address has no path: write \"127.0.0.1:9\".",
            })
    void saysHowAnAddressIsWrittenHere(String kind, String address, String sentence)
            throws IOException {
        assertThat(new WrittenFile(folder).wrong("[[mount]]\n" + kind + " = '" + address + "'"))
                .containsExactly("serval.toml:2:1: \"" + address + "\": " + sentence);
    }

    @Test
    void pathAfterASocketIsASettingOfItsOwn() throws IOException {
        assertThat(
                        new WrittenFile(folder)
                                .wrong("[[mount]]\nproxy = 'http://unix:/run/a,b?.sock:/base'"))
                .containsExactly(
                        "serval.toml:2:1: A path after a socket is a setting of its own: write"
                                + " unix:/run/a,b?.sock, and /base as path (in a file, upstream.path).");
        assertThat(neighbour("proxy = 'http://unix:/run/a,b?.sock'").addresses()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "proxy = 'http://no.such.host.invalid' | 1",
                "fastcgi = '127.0.0.1:9'%nupstream.root = 'missing' | 1",
                "proxy = 'http://127.0.0.1:9'%nupstream.send = 'missing' | 1",
                "proxy = 'https://127.0.0.1:9'%nupstream.tls.authorities = 'missing' | 1",
                "proxy = 'http://127.0.0.1' | 0",
                "proxy = 'http://127.0.0.1:x' | 2"
            })
    void whatIsMissingHereIsNoMistakeOfTheFile(String mount, int exitCode) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("serval.toml"), ("[[mount]]%n" + mount).formatted());
        Problems problems = new Problems();
        SettingsFile.read(file, Map.of(), problems);
        assertThat(problems.exitCode()).isEqualTo(exitCode);
    }
}
