package dev.serval.gateway.lrwp;

import dev.serval.http.RequestHead;
import dev.serval.http.TargetPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The applications by host and path. A name for a host comes before a name for all hosts; then the
/// longest path of whole components, in exact case; then the longest suffix; then `/`. An
/// application without peers does not count. Immutable.
final class LrwpRoutes {
    /// A table without applications.
    static final LrwpRoutes EMPTY = new LrwpRoutes(List.of());

    private final List<LrwpApplication> all;
    private final LrwpApplication[] hosted; // paths longest first, then suffixes, then `/`
    private final LrwpApplication[] anywhere;

    private LrwpRoutes(List<LrwpApplication> all) {
        this.all = List.copyOf(all);
        this.hosted = sorted(all, true);
        this.anywhere = sorted(all, false);
    }

    /// Returns the applications, in the order of their first registration.
    List<LrwpApplication> all() {
        return all;
    }

    /// Returns the application of a registration, or null.
    @Nullable LrwpApplication of(Registration registration) {
        for (LrwpApplication one : all) {
            if (one.isFor(registration)) {
                return one;
            }
        }
        return null;
    }

    LrwpRoutes with(LrwpApplication added) {
        List<LrwpApplication> more = new ArrayList<>(all);
        more.add(added);
        return new LrwpRoutes(more);
    }

    LrwpRoutes without(LrwpApplication removed) {
        List<LrwpApplication> fewer = new ArrayList<>(all);
        fewer.remove(removed);
        return new LrwpRoutes(fewer);
    }

    /// Returns the application that serves a request, or would serve it without the parameters of its
    /// path (`;…`); null if there is none.
    ///
    /// @param mountLength the length of the mount's prefix; a shorter application does not count
    /// @param guarded whether only applications that a rule names count
    @Nullable LrwpApplication find(RequestHead head, int mountLength, boolean guarded) {
        TargetPath path = head.target().path();
        if (hosted.length > 0) {
            String host = host(head);
            for (LrwpApplication one : hosted) {
                if (one.host().equals(host) && concerns(one, path, mountLength, guarded)) {
                    return one;
                }
            }
        }
        for (LrwpApplication one : anywhere) {
            if (concerns(one, path, mountLength, guarded)) {
                return one;
            }
        }
        return null;
    }

    private static boolean concerns(
            LrwpApplication one, TargetPath path, int mountLength, boolean guarded) {
        if (one.pathLength() < mountLength || (guarded && !one.isNamed())) {
            return false;
        }
        return one.concerns(path) && one.isPresent();
    }

    /// Returns the host of the request without its port, in lower case.
    private static String host(RequestHead head) {
        String authority = head.authority();
        int colon = authority.lastIndexOf(':');
        boolean port = colon >= 0 && authority.indexOf(']', colon) < 0;
        String host = port ? authority.substring(0, colon) : authority;
        String named = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return lower(named);
    }

    private static String lower(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] >= 'A' && bytes[i] <= 'Z') {
                bytes[i] |= 0x20;
            }
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// Returns 0 for paths, 1 for suffixes, and 2 for `/`, which would hide all suffixes.
    private static int rank(LrwpApplication one) {
        if (one.isSuffix()) {
            return 1;
        }
        return one.prefix().length == 0 ? 2 : 0;
    }

    private static LrwpApplication[] sorted(List<LrwpApplication> all, boolean hosted) {
        return all.stream()
                .filter(one -> one.host().isEmpty() != hosted)
                .sorted(
                        Comparator.comparingInt(LrwpRoutes::rank)
                                .thenComparingInt(one -> -one.prefix().length))
                .toArray(LrwpApplication[]::new);
    }
}
