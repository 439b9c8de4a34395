package dev.serval.settings;

import dev.serval.automatic.AcmeReader;
import dev.serval.config.Values;
import dev.serval.tls.CertificateNames;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.Credential;
import dev.serval.tls.CredentialCheck;
import dev.serval.tls.IssuedKeys;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the table `tls` of listeners, and the files that it names. Stateless.
public final class TlsReader {
    private static final String CERTIFICATE = "certificate";
    private static final String KEY = "key";
    private static final String PASSPHRASE = "passphrase-file";
    private static final String PROVIDER = "provider";
    private static final String CLIENTS = "client-certificate";
    private static final String AUTHORITIES = "client-authorities";
    private static final String REVOCATIONS = "client-revocations";

    private TlsReader() {}

    /// Returns the settings of a listener for HTTP; null without the table, or after a problem.
    ///
    /// @param folder what relative paths are relative to
    static @Nullable TlsSettings ofListener(Values listener, Path folder, Problems problems) {
        if (!listener.tables("tls").isEmpty() && AcmeReader.isAuto(listener.table("tls"))) {
            Values tls = listener.table("tls");
            checkAlone(tls, problems);
            return provided(
                    TlsSettings.ofIssued(profile(tls), clients(tls, folder, problems)),
                    tls,
                    problems);
        }
        return read(listener, folder, problems);
    }

    /// Returns the settings in the table `tls` of another table; null without it, or after a problem.
    ///
    /// @param folder what relative paths are relative to
    static @Nullable TlsSettings read(Values owner, Path folder, Problems problems) {
        if (owner.tables("tls").isEmpty()) {
            return null;
        }
        Values tls = owner.table("tls");
        if (!tls.has(CERTIFICATE)) {
            return null; // reported already
        }
        List<KeyFiles> files = files(tls, folder, problems);
        return files.isEmpty()
                ? null
                : provided(
                        new TlsSettings(files, profile(tls), clients(tls, folder, problems)),
                        tls,
                        problems);
    }

    /// Returns the settings with the library that the table names, if this machine has it and it can
    /// use the keys.
    private static TlsSettings provided(TlsSettings settings, Values tls, Problems problems) {
        if (!tls.text(PROVIDER).equals("boringssl")) {
            return settings;
        }
        try {
            TlsSettings chosen = settings.withLibrary(BoringSsl.library());
            IssuedKeys keys = new IssuedKeys(readable(settings), Set.of(), List.of());
            TlsProvider _ = chosen.library().make(keys, _ -> {}, chosen);
            return chosen;
        } catch (IOException e) {
            problems.at(tls.where(PROVIDER)).environment(e.getMessage() + ".");
            return settings;
        }
    }

    /// Returns what can be read of the files. The rest was reported before.
    private static List<Credential> readable(TlsSettings settings) {
        List<Credential> all = new ArrayList<>();
        for (KeyFiles files : settings.keys()) {
            try {
                all.addAll(files.read());
            } catch (IOException e) {
                // It was reported before.
            }
        }
        return all;
    }

    private static TlsProfile profile(Values tls) {
        return TlsProfile.valueOf(tls.text("profile").toUpperCase(Locale.ROOT));
    }

    /// Automatic certificates have keys of their own.
    private static void checkAlone(Values tls, Problems problems) {
        for (String key : List.of(KEY, PASSPHRASE)) {
            if (tls.has(key)) {
                problems.at(tls.where(key))
                        .usage(key + " has no effect with certificate = \"auto\": remove it.");
            }
        }
        if (tls.texts(CERTIFICATE).size() > 1) {
            problems.at(tls.where(CERTIFICATE))
                    .usage(
                            "\"auto\" cannot be with certificates of files: use another listener for"
                                    + " them.");
        }
    }

    private static ClientCertificates clients(Values tls, Path folder, Problems problems) {
        ClientCertificates.Asked asked =
                ClientCertificates.Asked.valueOf(tls.text(CLIENTS).toUpperCase(Locale.ROOT));
        @Nullable String authorities = tls.textOrNull(AUTHORITIES);
        boolean asks = asked != ClientCertificates.Asked.NO;
        if (asks != (authorities != null)) {
            problems.at(tls.where(asks ? CLIENTS : AUTHORITIES))
                    .usage(
                            asks
                                    ? "client-certificate needs client-authorities: a file with those"
                                            + " that sign the certificates."
                                    : "client-authorities has no effect without client-certificate:"
                                            + " add want or need.");
            return ClientCertificates.NONE;
        }
        List<Path> revoked = tls.texts(REVOCATIONS).stream().map(folder::resolve).toList();
        if (authorities == null) {
            if (!revoked.isEmpty()) {
                problems.at(tls.where(REVOCATIONS))
                        .usage(
                                "client-revocations has no effect without client-certificate: add"
                                        + " want or need.");
            }
            return ClientCertificates.NONE;
        }
        ClientCertificates clients =
                new ClientCertificates(asked, folder.resolve(authorities), revoked);
        try {
            clients.check();
            CredentialCheck.warnings(clients, Instant.now())
                    .forEach(warning -> problems.note(tls.where(AUTHORITIES), warning + "."));
        } catch (IOException e) {
            problems.at(tls.where(AUTHORITIES)).environment(e.getMessage() + ".");
        }
        return clients;
    }

    /// Returns the port to which a listener redirects all requests; 0 for none.
    static int httpsPort(Values listener, Problems problems) {
        int port = listener.has("https-redirect") ? (int) listener.number("https-redirect") : 0;
        if (port > 0 && !listener.tables("tls").isEmpty()) {
            problems.at(listener.where("https-redirect"))
                    .usage(
                            "A listener with tls cannot redirect to https: only one that speaks plain"
                                    + " HTTP can.");
        }
        return port;
    }

    private static List<KeyFiles> files(Values tls, Path folder, Problems problems) {
        List<String> certificates = tls.texts(CERTIFICATE);
        List<String> keys = tls.texts(KEY);
        @Nullable String passphrase = tls.textOrNull(PASSPHRASE);
        List<KeyFiles> files = new ArrayList<>();
        int next = 0;
        for (String certificate : certificates) {
            Path file = folder.resolve(certificate);
            boolean store = KeyFiles.isStore(file);
            if (!store && next == keys.size()) {
                problems.at(tls.where(CERTIFICATE))
                        .usage(
                                "There is no key for "
                                        + certificate
                                        + ": key needs one file for each certificate, in the same"
                                        + " order.");
                return List.of();
            }
            files.add(
                    new KeyFiles(
                            file,
                            store ? null : folder.resolve(keys.get(next++)),
                            passphrase == null ? null : folder.resolve(passphrase)));
        }
        if (next < keys.size()) {
            problems.at(tls.where(KEY))
                    .usage(
                            "There is no certificate for "
                                    + keys.get(next)
                                    + ": certificate needs one file for each key.");
        }
        check(files, problems.at(tls.where(CERTIFICATE)), problems, tls.where(CERTIFICATE));
        return files;
    }

    /// Checks the files of this machine.
    private static void check(
            List<KeyFiles> files, Complaints at, Problems problems, String where) {
        for (KeyFiles each : files) {
            try {
                for (Credential credential : each.read()) {
                    CredentialCheck.warnings(credential, Instant.now())
                            .forEach(warning -> problems.note(where, warning + "."));
                }
            } catch (IOException e) {
                at.environment(e.getMessage() + ".");
            }
        }
    }

    /// Reads the values of `--tls`: each `CERT,KEY`, or one file of PKCS#12.
    ///
    /// @return null after a problem
    public static @Nullable TlsSettings options(List<String> texts, Problems problems) {
        List<KeyFiles> files = new ArrayList<>();
        for (String text : texts) {
            @Nullable KeyFiles one = option(text, problems);
            if (one != null) {
                files.add(one);
            }
        }
        return files.size() < texts.size() ? null : new TlsSettings(files, TlsProfile.INTERMEDIATE);
    }

    private static @Nullable KeyFiles option(String text, Problems problems) {
        if (text.equals(AcmeReader.AUTO)) {
            problems.usage(
                    "--tls auto does not exist: automatic certificates need a configuration file with"
                            + " the table [acme], which says that you agree to the terms of the"
                            + " authority, and a [[host]] with tls = \"auto\".");
            return null;
        }
        String[] parts = text.split(",", -1);
        Path file = Path.of(parts[0]).toAbsolutePath().normalize();
        boolean store = KeyFiles.isStore(file);
        if (parts[0].isEmpty() || parts.length != (store ? 1 : 2)) {
            problems.usage(
                    "--tls takes CERT,KEY, two PEM files, such as --tls cert.pem,key.pem, or one file"
                            + " of PKCS#12 without a passphrase, not \""
                            + text
                            + "\".");
            return null;
        }
        @Nullable Path key = store ? null : Path.of(parts[1]).toAbsolutePath().normalize();
        KeyFiles files = new KeyFiles(file, key, null);
        check(List.of(files), problems, problems, "--tls");
        return files;
    }

    /// What holds for browsers if a configuration does not say it: that they use https where they can. A
    /// certificate that has signed itself is one for development, so nothing holds for it: a browser that
    /// has been told to use only https lets no user accept such a certificate. Stateless.
    public static final class HttpsDefaults {
        private static final int HTTPS_PORT = 443;
        private static final long HSTS_SECONDS = Duration.ofDays(30).toSeconds();

        private HttpsDefaults() {}

        /// Returns the listeners, which tell browsers to use only https as their tables say. Without a
        /// word there, one with TLS does so if clients reach it at port 443. That is so if
        ///
        /// - it listens at that port, and no proxy is in front of it, whose port is not known here;
        /// - or another listener redirects to that port because its table says so.
        ///
        /// @param listeners with the tables that they come from, in the same order
        /// @param proxied whether proxies are trusted
        static List<ListenerChoice> telling(
                List<ListenerChoice> listeners, List<Values> tables, boolean proxied) {
            boolean named = listeners.stream().anyMatch(each -> each.httpsPort() == HTTPS_PORT);
            List<ListenerChoice> all = new ArrayList<>();
            for (int i = 0; i < listeners.size(); i++) {
                ListenerChoice each = listeners.get(i);
                @Nullable TlsSettings tls = each.tls();
                Values table = tables.get(i).table("tls");
                if (tls != null && (named || table.has("hsts"))) {
                    long seconds =
                            table.has("hsts") ? table.time("hsts").toSeconds() : seconds(tls);
                    all.add(each.withHsts(new ListenerChoice.Hsts(seconds, false)));
                } else {
                    all.add(telling(each, proxied));
                }
            }
            return all;
        }

        /// Returns a listener, which tells browsers to use only https if it is at port 443.
        ///
        /// @param proxied whether proxies are trusted
        public static ListenerChoice telling(ListenerChoice listener, boolean proxied) {
            @Nullable TlsSettings tls = listener.tls();
            return tls == null || proxied || listener.proxy() != null
                    ? listener
                    : listener.withHsts(new ListenerChoice.Hsts(seconds(tls), true));
        }

        private static long seconds(TlsSettings tls) {
            return isPublic(tls) ? HSTS_SECONDS : 0;
        }

        /// Returns the listeners, of which those with plain HTTP redirect to one with TLS if
        ///
        /// - they do not say otherwise (`https-redirect`);
        /// - other machines reach both, without a proxy that may have decrypted before;
        /// - all hosts of the configuration have a certificate there;
        /// - clients reach both at the same address.
        ///
        /// @param listeners with the tables that they come from, in the same order
        static List<ListenerChoice> redirecting(
                List<ListenerChoice> listeners,
                List<Values> tables,
                Values root,
                Problems problems) {
            List<InetSocketAddress> targets = targets(listeners, root);
            List<ListenerChoice> all = new ArrayList<>();
            for (int i = 0; i < listeners.size(); i++) {
                ListenerChoice each = listeners.get(i);
                boolean redirects =
                        each.tls() == null
                                && each.proxy() == null
                                && isReachable(each)
                                && !tables.get(i).has("https-redirect");
                int port = redirects ? portBeside(each, targets) : 0;
                if (port > 0) {
                    problems.note(
                            tables.get(i).where("address"),
                            "This listener redirects all requests to https at port "
                                    + port
                                    + ": https-redirect = 0 has it serve them.");
                }
                all.add(port > 0 ? each.withHttpsPort(port) : each);
            }
            return all;
        }

        /// Returns the port of the first target that clients of a listener reach at the same address; 0 if
        /// there is none. Those of all addresses probably know the one with TLS by its name.
        private static int portBeside(ListenerChoice plain, List<InetSocketAddress> targets) {
            if (plain.address() instanceof InetSocketAddress from) {
                for (InetSocketAddress https : targets) {
                    if (from.getAddress().isAnyLocalAddress()
                            || https.getAddress().isAnyLocalAddress()
                            || from.getAddress().equals(https.getAddress())) {
                        return https.getPort();
                    }
                }
            }
            return 0;
        }

        /// Returns the addresses with TLS that listeners may redirect to.
        private static List<InetSocketAddress> targets(
                List<ListenerChoice> listeners, Values root) {
            Set<String> hosts = hosts(root.tables("host"));
            List<InetSocketAddress> targets = new ArrayList<>();
            for (ListenerChoice each : listeners) {
                @Nullable TlsSettings tls = each.tls();
                if (tls == null || each.proxy() != null || !isReachable(each)) {
                    continue; // clients reach a proxy at a port of its own
                }
                Set<String> names = names(tls, root);
                if (isPublic(tls)
                        && each.address() instanceof InetSocketAddress https
                        && hosts.stream().allMatch(host -> CertificateNames.cover(names, host))) {
                    targets.add(https);
                }
            }
            return targets;
        }

        private static boolean isReachable(ListenerChoice choice) {
            return choice.address() instanceof InetSocketAddress inet
                    && ListenAddress.reachable(inet)
                    && inet.getPort() != 0;
        }

        /// Returns the names that a listener has a certificate for, or will have an automatic one.
        private static Set<String> names(TlsSettings tls, Values root) {
            if (tls.issued()) {
                return hosts(
                        root.tables("host").stream()
                                .filter(host -> host.text("tls").equals(AcmeReader.AUTO))
                                .toList());
            }
            Set<String> names = new HashSet<>();
            certificates(tls).forEach(one -> names.addAll(CertificateNames.of(one)));
            return names;
        }

        /// Returns the names of hosts, in lower case.
        private static Set<String> hosts(List<Values> tables) {
            Set<String> hosts = new HashSet<>();
            for (Values host : tables) {
                if (host.has("name")) {
                    host.texts("name").forEach(name -> hosts.add(name.toLowerCase(Locale.ROOT)));
                }
            }
            return hosts;
        }

        /// Returns whether an authority has signed the certificates, or will sign automatic ones.
        private static boolean isPublic(TlsSettings tls) {
            List<X509Certificate> certificates = certificates(tls);
            return tls.issued()
                    || (!certificates.isEmpty()
                            && certificates.stream()
                                    .noneMatch(one ->
                                            one.getIssuerX500Principal()
                                                    .equals(one.getSubjectX500Principal())));
        }

        /// Returns the servers' own certificates; none if a file cannot be read, which was reported before.
        private static List<X509Certificate> certificates(TlsSettings tls) {
            List<X509Certificate> all = new ArrayList<>();
            for (KeyFiles files : tls.keys()) {
                try {
                    files.read().forEach(each -> all.add(each.certificate()));
                } catch (IOException e) {
                    return List.of();
                }
            }
            return all;
        }
    }

    /// Finds the optional library BoringSSL: in its jar beside that of the server, or on the class path
    /// of a program that embeds the server. It is looked for once, when a listener first needs it.
    static final class BoringSsl {
        private static final String JAR = "serval-tls-boringssl.jar";

        /// What was found.
        ///
        /// @param maker null after a problem
        private record Found(TlsProvider.@Nullable Maker maker, String problem) {}

        /// Looks only once, because the process loads the native library for one class loader.
        private static final class Once {
            static final Found FOUND = found();

            private static Found found() {
                try {
                    return new Found(find(folder(), TlsReader.class.getClassLoader()), "");
                } catch (IOException e) {
                    return new Found(null, String.valueOf(e.getMessage()));
                }
            }
        }

        private BoringSsl() {}

        /// Returns the library.
        ///
        /// @throws IOException if it is not there; the message says what to do
        static TlsProvider.Maker library() throws IOException {
            TlsProvider.@Nullable Maker maker = Once.FOUND.maker;
            if (maker == null) {
                throw new IOException(Once.FOUND.problem);
            }
            return maker;
        }

        /// Returns the folder of the server's jar, or of its classes.
        private static Path folder() {
            try {
                return Path.of(
                                TlsReader.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                        .resolveSibling("");
            } catch (URISyntaxException e) {
                throw new IllegalStateException("The jar of the server has no path", e);
            }
        }

        /// Looks in a folder.
        ///
        /// @param own has the classes of the server
        static TlsProvider.Maker find(Path folder, ClassLoader own) throws IOException {
            Path jar = folder.resolve(JAR);
            ClassLoader loader =
                    Files.isRegularFile(jar)
                            ? new URLClassLoader(new URL[] {jar.toUri().toURL()}, own)
                            : own;
            try {
                Optional<TlsProvider.Maker> found =
                        ServiceLoader.load(TlsProvider.Maker.class, loader).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                throw new IOException(
                        jar + " does not fit this version of the server: " + e.getMessage(), e);
            }
            throw new IOException(
                    "provider = \"boringssl\" needs "
                            + JAR
                            + ", which is not in "
                            + folder
                            + ": put it beside serval.jar, or use the provider jdk");
        }
    }
}
