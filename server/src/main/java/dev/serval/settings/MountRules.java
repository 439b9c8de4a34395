package dev.serval.settings;

import dev.serval.coding.Compression;
import dev.serval.handler.ErrorDocument;
import dev.serval.http.FieldChanges;
import dev.serval.policy.Limits;
import dev.serval.rule.AddressRules;
import dev.serval.rule.Redirect;
import dev.serval.rule.Rewrite;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a mount does besides serving, in the order in which it applies. Immutable.
///
/// @param access rules by the address of the client
/// @param login who may use it; null for everybody
/// @param denied patterns of paths that answer 404
/// @param rewrites other targets for some paths
/// @param redirects answers that send clients elsewhere
/// @param tryFiles paths of which the first that exists answers; empty for none
/// @param fields changes of the fields of every response
/// @param compression how each answer is compressed; null if only files are
/// @param errors pages of error answers, by status
/// @param intercepts whether these also take the place of error answers of other servers
/// @param log the name of its access log, or `off`; null for that of the server
/// @param limits of its requests
public record MountRules(
        List<AddressRules.Rule> access,
        @Nullable Login login,
        List<String> denied,
        List<Rewrite.Rule> rewrites,
        List<Redirect.Rule> redirects,
        List<String> tryFiles,
        FieldChanges fields,
        @Nullable Compression compression,
        Map<Integer, ErrorDocument> errors,
        boolean intercepts,
        @Nullable String log,
        MountLimits limits) {
    /// No rules.
    public static final MountRules NONE = new Draft().build();

    /// Who may use a mount, by BASIC authentication. Immutable.
    ///
    /// @param users the file of users
    /// @param roles of which a user needs one; empty for every user
    public record Login(Path users, String realm, Set<String> roles) {
        /// Copies the roles.
        public Login {
            roles = Set.copyOf(roles);
        }
    }

    /// The limits of the requests to a mount; 0 for that of the server.
    ///
    /// @param requestsMax requests in progress
    /// @param rate how fast each client may send requests
    public record MountLimits(
            long contentMaxBytes,
            long exchangeNanos,
            long minBytesPerSecond,
            int requestsMax,
            Limits.Rates rate) {
        static final MountLimits NONE = new MountLimits(0, 0, 0, 0, Limits.Rates.NONE);
    }

    /// Copies the lists.
    public MountRules {
        access = List.copyOf(access);
        denied = List.copyOf(denied);
        rewrites = List.copyOf(rewrites);
        redirects = List.copyOf(redirects);
        tryFiles = List.copyOf(tryFiles);
        errors = Map.copyOf(errors);
    }

    /// Returns rules that `change` has set.
    static MountRules of(Consumer<Draft> change) {
        Draft draft = new Draft();
        change.accept(draft);
        return draft.build();
    }

    /// These rules while they are chosen. Used by one thread, within [#of].
    static final class Draft {
        List<AddressRules.Rule> access = List.of();
        @Nullable Login login = null;
        List<String> denied = List.of();
        List<Rewrite.Rule> rewrites = List.of();
        List<Redirect.Rule> redirects = List.of();
        List<String> tryFiles = List.of();
        FieldChanges fields = FieldChanges.NONE;
        @Nullable Compression compression = null;
        Map<Integer, ErrorDocument> errors = Map.of();
        boolean intercepts = false;
        @Nullable String log = null;
        MountLimits limits = MountLimits.NONE;

        private Draft() {}

        private MountRules build() {
            return new MountRules(
                    access,
                    login,
                    denied,
                    rewrites,
                    redirects,
                    tryFiles,
                    fields,
                    compression,
                    errors,
                    intercepts,
                    log,
                    limits);
        }
    }
}
