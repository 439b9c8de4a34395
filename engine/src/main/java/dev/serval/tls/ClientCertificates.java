package dev.serval.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// Whether clients show a certificate. Immutable.
///
/// @param asked whether they are asked for one
/// @param trusted a PEM file with the certificates of the authorities that may sign theirs; null if they
///     are not asked
/// @param revoked files with the lists of certificates that these authorities have revoked (CRL); empty
///     if certificates are valid until they expire
public record ClientCertificates(Asked asked, @Nullable Path trusted, List<Path> revoked) {
    /// Clients are not asked.
    public static final ClientCertificates NONE = new ClientCertificates(Asked.NO, null);

    /// Whether clients are asked for a certificate.
    public enum Asked {
        /// They are not.
        NO,
        /// They are asked, and one without a certificate is served, too.
        WANT,
        /// A client without a certificate gets no connection.
        NEED
    }

    /// Creates settings without lists of revoked certificates.
    public ClientCertificates(Asked asked, @Nullable Path trusted) {
        this(asked, trusted, List.of());
    }

    /// Checks that there are authorities if clients are asked.
    public ClientCertificates {
        revoked = List.copyOf(revoked);
        if ((asked == Asked.NO) != (trusted == null) || (trusted == null && !revoked.isEmpty())) {
            throw new IllegalArgumentException(
                    "Certificates of clients need a file with the authorities that sign them");
        }
    }

    /// Checks that the authorities and the lists can be read.
    ///
    /// @throws IOException if not; the message names the file
    public void check() throws IOException {
        var _ = read();
    }

    /// Returns the files with the authorities and the lists.
    List<Path> files() {
        List<Path> files = new ArrayList<>(revoked);
        if (trusted != null) {
            files.add(trusted);
        }
        return files;
    }

    /// Reads the authorities and the lists.
    ///
    /// @return what checks the clients' certificates; null if they are not asked
    /// @throws IOException if the file cannot be read; the message names it
    public TrustManager @Nullable [] read() throws IOException {
        @Nullable Path file = trusted;
        if (file == null) {
            return null;
        }
        return new TrustManager[] {
            revoked.isEmpty() ? Authorities.read(file) : Authorities.read(file, revoked)
        };
    }
}
