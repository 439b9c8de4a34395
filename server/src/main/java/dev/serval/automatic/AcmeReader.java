package dev.serval.automatic;

import dev.serval.acme.AcmeSettings;
import dev.serval.acme.ChallengeKind;
import dev.serval.config.Values;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the table `[acme]` of a file, and which hosts and listeners have automatic certificates. Used
/// by one thread.
///
/// @param folder what relative paths are relative to
/// @param state the folder of the server's state
/// @param problems takes what is wrong
public record AcmeReader(Path folder, Path state, Complaint problems) {
    /// The word for an automatic certificate.
    public static final String AUTO = "auto";

    private static final String ACCOUNT_ID = "account-id";
    private static final String ACCOUNT_KEY = "account-key-file";

    /// Takes what is wrong, and where.
    @FunctionalInterface
    public interface Complaint {
        /// Takes a sentence.
        ///
        /// @param machine whether it is a problem of this machine only
        void at(String where, boolean machine, String sentence);
    }

    /// Returns whether a listener has automatic certificates.
    ///
    /// @param tls its table
    public static boolean isAuto(Values tls) {
        return tls.texts("certificate").contains(AUTO);
    }

    /// Returns what is chosen; null if there is nothing, or after a problem.
    public @Nullable AcmeChoice read(Values root) {
        Set<String> hosts = hosts(root);
        boolean chosen = !root.tables("acme").isEmpty();
        boolean listens = root.tables("listener").stream().anyMatch(AcmeReader::isAutoListener);
        if (!chosen && (listens || !hosts.isEmpty())) {
            wrong(
                    listens ? where(root) : hostWhere(root),
                    "Automatic certificates need the table [acme]: add it, with terms-agreed ="
                            + " true.");
            return null;
        }
        if (!chosen) {
            return null;
        }
        Values acme = root.table("acme");
        if (hosts.isEmpty() || !listens) {
            wrong(
                    acme.where(),
                    hosts.isEmpty()
                            ? "[acme] has no effect without a host: add tls = \"auto\" to a [[host]]."
                            : "[acme] has no effect without a listener: add tls.certificate ="
                                    + " \"auto\" to a [[listener]].");
            return null;
        }
        ChallengeKind challenge = challenge(acme.text("challenge"));
        checkPlain(root, acme, challenge);
        if (!acme.flag("terms-agreed")) {
            wrong(
                    acme.where(),
                    "Automatic certificates need your agreement to the terms of the authority: read"
                            + " them, and add terms-agreed = true.");
        }
        Path own =
                acme.has("folder")
                        ? folder.resolve(acme.text("folder")).normalize()
                        : state.resolve("acme");
        @Nullable String obstacle = obstacle(own);
        if (obstacle != null) {
            problems.at(acme.has("folder") ? acme.where("folder") : acme.where(), true, obstacle);
        }
        @Nullable URI directory = directory(acme);
        AcmeSettings.@Nullable AccountBinding binding = binding(acme);
        return directory == null
                ? null
                : new AcmeChoice(
                        new AcmeSettings(
                                directory,
                                authorities(acme),
                                acme.textOrNull("email"),
                                own,
                                challenge,
                                binding),
                        hosts);
    }

    /// Returns why a folder for certificates cannot be used or created; null if it can, as far as it or
    /// the folder above it tells.
    private static @Nullable String obstacle(Path folder) {
        @Nullable Path present = folder.toAbsolutePath();
        while (present != null && !Files.exists(present)) {
            present = present.getParent();
        }
        if (present == null || (Files.isDirectory(present) && Files.isWritable(present))) {
            return null;
        }
        return "The folder "
                + folder
                + " for certificates cannot be used: "
                + present
                + (Files.isDirectory(present)
                        ? " cannot be written by this user. Change its owner or its rights."
                        : " is no folder. Name another one.");
    }

    private static boolean isAutoListener(Values listener) {
        return !listener.tables("tls").isEmpty() && isAuto(listener.table("tls"));
    }

    private static String where(Values root) {
        return root.tables("listener").stream()
                .filter(AcmeReader::isAutoListener)
                .findFirst()
                .map(listener -> listener.table("tls").where("certificate"))
                .orElse("");
    }

    private static String hostWhere(Values root) {
        return root.tables("host").stream()
                .filter(host -> host.text("tls").equals(AUTO))
                .findFirst()
                .map(host -> host.where("tls"))
                .orElse("");
    }

    private Set<String> hosts(Values root) {
        Set<String> hosts = new LinkedHashSet<>();
        for (Values host : root.tables("host")) {
            if (!host.text("tls").equals(AUTO)) {
                continue;
            }
            for (String name : host.texts("name")) {
                String lower = name.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
                if (lower.contains("*")) {
                    wrong(
                            host.where("name"),
                            "The name "
                                    + name
                                    + " cannot have an automatic certificate: neither http-01 nor"
                                    + " tls-alpn-01 can prove a wildcard. Name each host, or use"
                                    + " a certificate of files.");
                } else if (lower.startsWith("[") || lower.matches("[0-9.]+")) {
                    wrong(
                            host.where("name"),
                            "The address "
                                    + name
                                    + " cannot have an automatic certificate: use a host name.");
                } else {
                    hosts.add(lower);
                }
            }
        }
        return hosts;
    }

    private static ChallengeKind challenge(String text) {
        return text.equals(ChallengeKind.TLS_ALPN_01.text())
                ? ChallengeKind.TLS_ALPN_01
                : ChallengeKind.HTTP_01;
    }

    private void checkPlain(Values root, Values acme, ChallengeKind challenge) {
        boolean plain =
                root.tables("listener").stream()
                        .anyMatch(listener -> listener.tables("tls").isEmpty());
        if (challenge == ChallengeKind.HTTP_01 && !plain) {
            wrong(
                    acme.where(),
                    "The challenge http-01 needs a listener without tls, which port 80 leads to: add"
                            + " one, or choose challenge = \"tls-alpn-01\".");
        }
    }

    private @Nullable URI directory(Values acme) {
        try {
            return URI.create(acme.text("directory"));
        } catch (IllegalArgumentException e) {
            wrong(acme.where("directory"), "The directory is no URL: " + e.getMessage() + ".");
            return null;
        }
    }

    private @Nullable Path authorities(Values acme) {
        @Nullable String named = acme.textOrNull("authorities");
        if (named == null) {
            return null;
        }
        Path file = folder.resolve(named);
        if (!Files.isReadable(file)) {
            problems.at(acme.where("authorities"), true, file + " cannot be read.");
        }
        return file;
    }

    private AcmeSettings.@Nullable AccountBinding binding(Values acme) {
        @Nullable String id = acme.textOrNull(ACCOUNT_ID);
        @Nullable String file = acme.textOrNull(ACCOUNT_KEY);
        if (id == null || file == null) {
            if (id != null || file != null) {
                wrong(
                        acme.where(id == null ? ACCOUNT_KEY : ACCOUNT_ID),
                        "An external account needs both account-id and account-key-file.");
            }
            return null;
        }
        try {
            List<String> lines = Files.readAllLines(folder.resolve(file));
            String key = lines.isEmpty() ? "" : lines.getFirst().strip();
            if (key.matches("[A-Za-z0-9_-]+=*")) {
                return new AcmeSettings.AccountBinding(id, key);
            }
            problems.at(
                    acme.where(ACCOUNT_KEY),
                    true,
                    "The first line of " + folder.resolve(file) + " must be a key in base64url.");
        } catch (IOException e) {
            problems.at(
                    acme.where(ACCOUNT_KEY),
                    true,
                    folder.resolve(file) + " cannot be read: " + e + ".");
        }
        return null;
    }

    private void wrong(String where, String sentence) {
        problems.at(where, false, sentence);
    }
}
