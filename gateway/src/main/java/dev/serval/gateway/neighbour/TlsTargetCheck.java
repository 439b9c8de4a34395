package dev.serval.gateway.neighbour;

import dev.serval.gateway.tls.TlsTarget;
import dev.serval.gateway.tls.UpstreamTls;
import dev.serval.tls.KeyFiles;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Checks the settings of TLS to an HTTP server and the files that they name, and makes the immutable
/// settings. Used by one thread, once.
final class TlsTargetCheck {
    private final KindDraft.Tls draft;
    private final Problems problems;

    /// @param problems gets what is wrong
    TlsTargetCheck(KindDraft.Tls draft, Problems problems) {
        this.draft = draft;
        this.problems = problems;
    }

    /// Returns the settings; null if a problem was added.
    @Nullable TlsTarget build() {
        problems.check("name", () -> TlsTarget.checkName(draft.name));
        @Nullable Path authorities = file("authorities", draft.authorities);
        if (!draft.verify && authorities != null) {
            problems.add(
                    "authorities",
                    "authorities has no effect with verify = false: leave one of them out.");
        }
        @Nullable KeyFiles own = own();
        if (!problems.isEmpty()) {
            return null;
        }
        TlsTarget target = new TlsTarget(draft.verify, authorities, draft.name, own);
        try {
            UpstreamTls.check(target);
        } catch (IOException e) {
            problems.addOfMachine("tls", -1, e.getMessage() + ".");
        }
        return target;
    }

    private @Nullable KeyFiles own() {
        @Nullable Path certificate = file("certificate", draft.certificate);
        @Nullable Path key = file("key", draft.key);
        @Nullable Path passphrase = file("passphrase-file", draft.passphraseFile);
        if (certificate == null) {
            if (key != null || passphrase != null) {
                problems.add(
                        "certificate",
                        "There is a key but no certificate to show: add certificate.");
            }
            return null;
        }
        if ((key == null) != KeyFiles.isStore(certificate)) {
            problems.add(
                    "key",
                    "A certificate of PEM needs its key, and a file of PKCS#12 (.p12) has its own.");
            return null;
        }
        return new KeyFiles(certificate, key, passphrase);
    }

    private @Nullable Path file(String setting, @Nullable String text) {
        try {
            return text == null ? null : Path.of(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            problems.add(setting, setting + " has a name that no file system can have.");
            return null;
        }
    }
}
