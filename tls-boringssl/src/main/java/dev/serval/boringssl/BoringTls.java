package dev.serval.boringssl;

import dev.serval.tls.Credential;
import dev.serval.tls.IssuedKeys;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.ServerKeys;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// TLS by BoringSSL. A client resumes a session by a ticket, which the server does not store. Any
/// thread.
///
/// The shortest use is `WatchedTls.of(settings.withLibrary(BoringTls.LIBRARY))`.
public final class BoringTls implements TlsProvider {
    /// Makes engines of BoringSSL.
    public static final TlsProvider.Maker LIBRARY = new Library();

    private final TlsSettings settings;
    private final ServerKeys keys;
    private final IdentityHashMap<Credential, KeyMaterial> material;
    private final @Nullable ClientCheck check;
    private final LongSupplier nanos;
    private final Map<List<String>, BoringContext> contexts = new HashMap<>(); // under the lock
    private TicketKeys tickets; // under the lock

    /// Makes providers. The server finds this class by [java.util.ServiceLoader].
    public static final class Library implements TlsProvider.Maker {
        /// Creates a maker, for the service loader. Others use [BoringTls#LIBRARY].
        public Library() {}

        /// Makes a provider as [TlsProvider.Maker#make] says. While an authority checks a name by a
        /// handshake (RFC 8737), it is one of the JDK, because BoringSSL chooses the certificate before
        /// the protocol.
        @Override
        public TlsProvider make(IssuedKeys issued, Consumer<String> refused, TlsSettings settings)
                throws IOException {
            return issued.challenges().isEmpty()
                    ? new BoringTls(issued, refused, settings, System::nanoTime)
                    : JdkTls.LIBRARY.make(issued, refused, settings);
        }
    }

    /// @param nanos a clock
    BoringTls(IssuedKeys issued, Consumer<String> refused, TlsSettings settings, LongSupplier nanos)
            throws IOException {
        NativeLibrary.load();
        this.settings = settings;
        this.nanos = nanos;
        this.keys = new ServerKeys(issued, refused);
        this.check = check(settings.clients().read());
        this.tickets = TicketKeys.begin(nanos.getAsLong());
        this.material = material(issued.credentials());
        List<KeyMaterial> freed = List.copyOf(material.values());
        Memory.freeAfter(material, () -> freed.forEach(each -> KeyMaterial.free(each.address())));
        BoringContext _ = context(List.of("http/1.1")); // so that wrong settings fail here
    }

    /// Reads the files of the settings.
    ///
    /// @throws IOException if these cannot be used, or this system has no BoringSSL; the message says
    ///     what is wrong and what would be right
    public static TlsProvider of(TlsSettings settings) throws IOException {
        List<Credential> all = new ArrayList<>();
        for (KeyFiles files : settings.keys()) {
            all.addAll(files.read());
        }
        return LIBRARY.make(new IssuedKeys(all, Set.of(), List.of()), _ -> {}, settings);
    }

    private static IdentityHashMap<Credential, KeyMaterial> material(List<Credential> credentials)
            throws IOException {
        IdentityHashMap<Credential, KeyMaterial> made = new IdentityHashMap<>();
        try {
            for (Credential each : credentials) {
                made.put(each, KeyMaterial.of(each));
            }
        } catch (IOException e) {
            made.values().forEach(each -> KeyMaterial.free(each.address()));
            throw e;
        }
        return made;
    }

    private static @Nullable ClientCheck check(TrustManager @Nullable [] managers)
            throws IOException {
        if (managers == null) {
            return null;
        }
        for (TrustManager each : managers) {
            if (each instanceof X509TrustManager trust) {
                return new ClientCheck(trust);
            }
        }
        throw new IOException("This JDK checks no certificates of X.509");
    }

    @Override
    public SSLEngine engine(SocketAddress peer) {
        return new BoringEngine(this);
    }

    /// Returns the native settings of connections that offer these protocols. New ticket keys are made
    /// if they are due.
    synchronized BoringContext context(List<String> protocols) throws IOException {
        long now = nanos.getAsLong();
        if (tickets.isOver(now)) {
            tickets = tickets.next(now);
            contexts.values().forEach(each -> each.use(tickets.array()));
        }
        @Nullable BoringContext present = contexts.get(protocols);
        if (present == null) {
            present = new BoringContext(settings, protocols, keys, material, check);
            present.use(tickets.array());
            contexts.put(List.copyOf(protocols), present);
        }
        return present;
    }
}
