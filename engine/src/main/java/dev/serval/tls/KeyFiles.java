package dev.serval.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The files of a key and its certificate. Immutable.
///
/// @param certificates a PEM file with the certificate and its chain, or a file of PKCS#12, whose name
///     ends with `.p12` or `.pfx`
/// @param key a PEM file with the private key; null with PKCS#12
/// @param passphrase a file whose first line is the passphrase; null if there is none
public record KeyFiles(Path certificates, @Nullable Path key, @Nullable Path passphrase) {
    /// Checks that there is a key.
    public KeyFiles {
        if ((key == null) != isStore(certificates)) {
            throw new IllegalArgumentException(
                    certificates + " needs a file with its key, unless it is PKCS#12 (.p12)");
        }
    }

    /// Names two PEM files.
    public KeyFiles(Path certificates, Path key) {
        this(certificates, key, null);
    }

    /// Returns whether the name is that of a file of PKCS#12.
    public static boolean isStore(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".p12") || name.endsWith(".pfx");
    }

    /// Reads the files.
    ///
    /// @throws IOException if they cannot be used; the message says which file, what is wrong and what
    ///     would be right
    public List<Credential> read() throws IOException {
        return key == null
                ? Credential.pkcs12(certificates, passphrase)
                : List.of(Credential.pem(certificates, key, passphrase));
    }
}
