package dev.serval.gateway.neighbour;

import dev.serval.file.FileOptions;
import dev.serval.gateway.proxy.ProxyTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The settings of one protocol while they are chosen, at first the usual ones. Each is a field with
/// the meaning of the option of an address that has its name. Used by one thread.
public sealed interface KindDraft {
    /// An HTTP server.
    final class Http implements KindDraft {
        /// What replaces the mount's prefix; `/` to strip it; null to keep the whole path.
        public @Nullable String path;

        public @Nullable String host;
        public boolean trust;
        public boolean buffer = true;
        public boolean chunked = true;
        public int interims = ProxyTarget.DEFAULT.interimsMax();
        public long interimNanos = ProxyTarget.DEFAULT.interimNanos();
        public long tunnelIdleNanos = ProxyTarget.DEFAULT.tunnelIdleNanos();
        public @Nullable String check;
        public @Nullable String send;
        public long checkEveryNanos = TimeUnit.SECONDS.toNanos(5);

        /// The name of the cookie that binds a session to an address; null for none. The proxy sets
        /// it, unless an address has a route: then the application does.
        public @Nullable String sticky;

        /// The key of the hash in the proxy's own cookie; null for a random one of this process.
        public @Nullable String stickySecret;

        public final Changes redirect = new Changes();
        public final Changes cookiePath = new Changes();
        public final Changes cookieDomain = new Changes();

        /// Fields of requests that are set or removed.
        public final List<Field> fields = new ArrayList<>();

        /// How connections are encrypted; null for plain HTTP.
        public @Nullable Tls tls;
    }

    /// TLS to an HTTP server, at first with certificates that are verified by the authorities that the
    /// JDK knows. Files are absolute, or relative to the folder of the process.
    final class Tls {
        public boolean verify = true;
        public @Nullable String authorities;
        public @Nullable String name;
        public @Nullable String certificate;
        public @Nullable String key;
        public @Nullable String passphraseFile;
    }

    /// A FastCGI server.
    final class Fastcgi implements KindDraft {
        public @Nullable String root;
        public boolean remote;
        public @Nullable String index;
        public @Nullable String fallback;
        public @Nullable String send;
        public boolean buffer = true;
        public boolean keep;

        /// What is set in place of variables of the request.
        public final List<Variable> variables = new ArrayList<>();

        /// How the files beside the scripts are served, and which links are followed.
        public FileOptions files = FileOptions.DEFAULT;
    }

    /// An SCGI server.
    final class Scgi implements KindDraft {
        public @Nullable String send;
        public boolean buffer = true;

        /// What is set in place of variables of the request.
        public final List<Variable> variables = new ArrayList<>();
    }

    /// Changes of texts in answers.
    final class Changes {
        /// Whether the address and path of the upstream become those of the mount.
        public boolean usual;

        /// Explicit changes, which come first.
        public final List<Change> changes = new ArrayList<>();
    }

    /// An explicit change.
    ///
    /// @param from what the text begins with
    /// @param to what replaces it
    record Change(String from, String to) {}

    /// A field of requests.
    ///
    /// @param value with variables, or null to remove the field
    record Field(String name, @Nullable String value) {}

    /// A variable of requests.
    ///
    /// @param value a fixed text, in which `$$` is a dollar sign
    record Variable(String name, String value) {}
}
