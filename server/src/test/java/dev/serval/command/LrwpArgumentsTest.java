package dev.serval.command;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.policy.AddressRange;
import dev.serval.settings.RunOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LrwpArgumentsTest {
    @Test
    void readsAddressesNamesAndRanges() {
        Invocation invocation =
                read(
                        "--lrwp 1081 --lrwp [::1]:1082 --lrwp-allow osp --lrwp-from 10.0.0.0/8"
                                + " --lrwp-from fd00::1");
        RunOptions options = CommandLines.options(invocation);
        assertThat(options.lrwp().addresses())
                .containsExactly(address("127.0.0.1", 1081), address("::1", 1082));
        LrwpSettings settings = requireNonNull(options.lrwp().settings());
        assertThat(settings.allowed().names()).containsExactly("osp");
        assertThat(settings.from())
                .extracting(AddressRange::text)
                .containsExactly("10.0.0.0/8", "fd00:0:0:0:0:0:0:1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--lrwp many | takes a port from 0 to 65535",
                "--lrwp 10.0.0.5:1081 | lets other machines register",
                "--lrwp 1081 --lrwp 1081 | is given twice",
                "--lrwp-allow osp | has no effect without --lrwp",
                "--lrwp-from 10.0.0.1 | has no effect without --lrwp",
                "--lrwp 1081 --lrwp-from 10.0.0.0/33 | or a range such as 10.0.0.0/8",
                "--lrwp 1081 --lrwp-from 10.0.0.0/-1 | or a range such as 10.0.0.0/8",
                "--lrwp 1081 --lrwp-from example.org | or a range such as 10.0.0.0/8",
                "--lrwp 1081 --lrwp-from 10.0.0.0/ | or a range such as 10.0.0.0/8",
                "--demo --lrwp 1081 --lrwp-from 10.0.0.0/8 | leave out --lrwp-from",
            })
    void refusesWhatMakesNoSense(String arguments, String sentence) {
        Invocation invocation = read(arguments);
        assertThat(invocation).isInstanceOf(Invocation.Refuse.class);
        assertThat(((Invocation.Refuse) invocation).problems())
                .singleElement()
                .asString()
                .contains(sentence);
    }

    private static Invocation read(String arguments) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments.split(" ")));
        return CommandLines.read(all.toArray(String[]::new));
    }

    private static SocketAddress address(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }
}
