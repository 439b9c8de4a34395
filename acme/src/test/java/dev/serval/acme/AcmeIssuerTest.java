package dev.serval.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.tls.Credential;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an operator is told of an authority that cannot be reached. [PebbleTest] has the rest.
final class AcmeIssuerTest {
    /// Shows nothing.
    private static final class NoKeys implements ChallengeKeys {
        @Override
        public void offer(Credential credential) {}

        @Override
        public void withdraw() {}
    }

    @Test
    void refusedConnectionIsToldInWords(@TempDir Path path) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        URI directory = URI.create("https://127.0.0.1:" + port + "/dir");
        AcmeSettings settings =
                new AcmeSettings(directory, null, null, path, ChallengeKind.HTTP_01, null);
        AcmeIssuer issuer =
                new AcmeIssuer(settings, CertificateFolder.open(path, directory), new NoKeys());
        assertThatThrownBy(() -> issuer.issue("a.test"))
                .isInstanceOf(IOException.class)
                .hasMessage(directory + " cannot be reached: no server accepts connections there");
    }

    @Test
    void unknownNameIsToldInWords() {
        IOException thrown = new ConnectException();
        thrown.initCause(new UnresolvedAddressException());
        assertThat(AcmeIssuer.unreachable(thrown)).isEqualTo("its name has no address");
    }

    @Test
    void messageOfTheSystemIsKept() {
        assertThat(AcmeIssuer.unreachable(new ConnectException("No route to host")))
                .isEqualTo("No route to host");
    }
}
