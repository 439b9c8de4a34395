package dev.serval.examples.osp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.osp.OspOptions.TokenForm;
import dev.serval.examples.osp.call.TokenKey;
import dev.serval.examples.osp.record.SyncPolicy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OspOptionsTest {
    private static OspOptions parse(String line) {
        return OspOptions.parse(line.isEmpty() ? List.of() : List.of(line.split(" ", -1)));
    }

    @Test
    void hasValuesForAllButTheRoutes() {
        OspOptions options = parse("--routes r.txt");
        assertThat(options)
                .isEqualTo(
                        new OspOptions(
                                "127.0.0.1",
                                1081,
                                "osp",
                                "",
                                null,
                                16,
                                Path.of("r.txt"),
                                Path.of("osp-state"),
                                TokenForm.SIGNED,
                                TokenKey.Kind.RSA,
                                null,
                                SyncPolicy.ALWAYS,
                                300,
                                0,
                                ClientSignatures.Policy.IGNORED,
                                null));
    }

    @Test
    void readsEveryOption() {
        OspOptions options =
                parse(
                        "--agent [::1]:99 --name a/b --host www --passphrase-file p --connections 3"
                                + " --routes r --state s --tokens text --key ec --records database"
                                + " --database jdbc:postgresql://h/d --sync never --valid-seconds 60"
                                + " --clock-seconds 5 --signatures required"
                                + " --client-certificates c.pem");
        assertThat(options)
                .isEqualTo(
                        new OspOptions(
                                "::1",
                                99,
                                "a/b",
                                "www",
                                Path.of("p"),
                                3,
                                Path.of("r"),
                                Path.of("s"),
                                TokenForm.TEXT,
                                TokenKey.Kind.EC,
                                "jdbc:postgresql://h/d",
                                SyncPolicy.NEVER,
                                60,
                                5,
                                ClientSignatures.Policy.REQUIRED,
                                Path.of("c.pem")));
        assertThat(parse("--routes r --state /x --records database").database())
                .isEqualTo("jdbc:h2:file:/x/records");
    }

    @Test
    void helpNamesEveryOption() {
        for (String name :
                List.of(
                        "agent",
                        "name",
                        "host",
                        "passphrase-file",
                        "connections",
                        "routes",
                        "state",
                        "tokens",
                        "key",
                        "records",
                        "database",
                        "sync",
                        "valid-seconds",
                        "clock-seconds",
                        "signatures",
                        "client-certificates")) {
            assertThat(OspOptions.USAGE).contains("  --" + name + " ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'',--routes is missing: name the file with the routes.",
        "--route r,'\"--route\" is not an option: --help lists them all.'",
        "routes,'\"routes\" is not an option: --help lists them all.'",
        "--routes,--routes has no value: add one after it.",
        "--routes r --routes s,--routes is given twice: keep one of them.",
        "--routes r --agent 1081,'--agent is \"1081\": write an address and a port, such as 127.0.0.1:1081.'",
        "--routes r --agent a:x,'--agent: the port is \"x\", it must be a number from 1 to 65535.'",
        "--routes r --agent a:65536,'--agent: the port is \"65536\", it must be a number from 1 to 65535.'",
        "--routes r --connections 0,'--connections: the value is \"0\", it must be a number from 1 to 1000.'",
        "--routes r --tokens blue,'--tokens is \"blue\": it must be one of signed, text.'",
        "--routes r --sync often,'--sync is \"often\": it must be one of always, second, never.'",
        "--routes r --signatures checked,--signatures checked needs --client-certificates FILE as well.",
        "--routes r --client-certificates c,--client-certificates needs --signatures checked or required as well.",
        "--routes r --records paper,'--records is \"paper\": it must be file or database.'",
        "--routes r --database x,--database needs --records database as well.",
        "--routes r --records database --database x,'--database is \"x\": it must begin with jdbc:postgresql: or jdbc:h2:.'"
    })
    void wrongValuesGetASentence(String line, String expected) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }
}
