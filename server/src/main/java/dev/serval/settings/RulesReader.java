package dev.serval.settings;

import dev.serval.coding.Compression;
import dev.serval.config.Values;
import dev.serval.handler.ErrorDocument;
import dev.serval.http.FieldChanges;
import dev.serval.http.FieldName;
import dev.serval.http.PathPatterns;
import dev.serval.policy.AddressRange;
import dev.serval.policy.Limits;
import dev.serval.rule.AddressRules;
import dev.serval.rule.Redirect;
import dev.serval.rule.Rewrite;
import dev.serval.rule.TryFiles;
import dev.serval.settings.MountRules.MountLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads the rules of a mount from a file. Used by one thread.
///
/// @param folder what relative paths are relative to
record RulesReader(Path folder, Problems problems) {
    private static final int PERMANENT = 308;

    /// Returns the rules of a mount.
    ///
    /// @param host the table of its host, whose fields and error pages it has, too; null without one
    /// @param compression what the mount sends compressed
    MountRules read(Values mount, @Nullable Values host, Compression compression) {
        return MountRules.of(draft -> {
            draft.access = access(mount);
            draft.login = login(mount);
            draft.denied = denied(mount);
            draft.rewrites = rewrites(mount);
            draft.redirects = mount.has("redirect") ? redirect(mount) : List.of();
            draft.tryFiles = tryFiles(mount);
            draft.fields = fields(mount, host);
            draft.compression = compression.covers(Compression.Scope.ALL) ? compression : null;
            draft.errors = errors(mount, host);
            draft.intercepts = mount.flag("intercept");
            draft.log =
                    mount.has("log") || host == null
                            ? mount.textOrNull("log")
                            : host.textOrNull("log");
            draft.limits = limits(mount.table("limits"));
        });
    }

    /// Returns the rules of a host that redirects what no mount answers.
    MountRules ofHost(Values host) {
        return MountRules.of(draft -> {
            draft.redirects = host.has("redirect") ? redirect(host) : List.of();
            draft.fields = fields(host, null);
            draft.errors = errors(host, null);
            draft.log = host.textOrNull("log");
        });
    }

    private List<AddressRules.Rule> access(Values mount) {
        List<AddressRules.Rule> rules = new ArrayList<>();
        for (String text : mount.texts("access")) {
            boolean allows = text.startsWith("allow ");
            String who = text.substring(text.indexOf(' ') + 1);
            AddressRules.@Nullable Rule rule =
                    attempt(
                            mount.where("access"),
                            () ->
                                    new AddressRules.Rule(
                                            allows,
                                            who.equals("all") ? null : AddressRange.of(who)));
            if (rule != null) {
                rules.add(rule);
            }
        }
        return rules;
    }

    private MountRules.@Nullable Login login(Values mount) {
        Values login = mount.table("login");
        @Nullable String users = login.textOrNull("users");
        if (users == null) {
            return null;
        }
        Path file = folder.resolve(users).normalize();
        checkUsers(file, problems.at(login.where("users")));
        return new MountRules.Login(
                file, login.text("realm"), new LinkedHashSet<>(login.texts("roles")));
    }

    /// Adds a problem if a file of users cannot be read.
    static void checkUsers(Path file, Complaints problems) {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            problems.environment(
                    "There is no users file "
                            + file
                            + " that this user may read: create it by serval user add "
                            + file
                            + " NAME.");
        }
    }

    private List<String> denied(Values mount) {
        List<String> patterns = mount.texts("deny");
        PathPatterns checked = attempt(mount.where("deny"), () -> PathPatterns.of(patterns));
        return checked == null ? List.of() : patterns;
    }

    private List<String> tryFiles(Values mount) {
        List<String> paths = mount.texts("try-files");
        if (!mount.has("try-files")) {
            return paths;
        }
        Boolean right =
                attempt(
                        mount.where("try-files"),
                        () -> {
                            TryFiles.check(paths);
                            return true;
                        });
        return right == null ? List.of() : paths;
    }

    private List<Rewrite.Rule> rewrites(Values mount) {
        List<Rewrite.Rule> rules = new ArrayList<>();
        for (Values each : mount.tables("rewrite")) {
            if (!each.has("from") || !each.has("to")) {
                continue; // reported already
            }
            Rewrite.@Nullable Rule rule = rewrite(each);
            if (rule != null) {
                rules.add(rule);
            }
        }
        return rules;
    }

    /// Returns a rule; null after a problem. Checks key by key, so that the place is that of the wrong one.
    private Rewrite.@Nullable Rule rewrite(Values values) {
        String written = values.text("from");
        String whole = "^(?:" + written + ")$";
        int status = values.has("status") ? (int) values.number("status") : 0;
        String key = "from";
        try {
            new Rewrite(List.of(new Rewrite.Rule(whole, "/", true)));
            key = "status";
            Rewrite.Rule _ = new Rewrite.Rule(whole, "/", true, status);
            key = "to";
            return new Rewrite.Rule(whole, values.text("to"), true, status);
        } catch (IllegalArgumentException e) {
            String sentence = String.valueOf(e.getMessage()).replace(whole, written) + ".";
            problems.at(values.where(key)).usage(sentence);
            return null;
        }
    }

    private List<Redirect.Rule> redirect(Values mount) {
        String to = mount.text("redirect");
        boolean below = to.endsWith("/*");
        boolean atRoot = !mount.isKey("at") || mount.text("at").equals("/");
        boolean toAnApplication = atRoot && to.startsWith("/"); // the usual use without the rest
        if (to.endsWith("/") && !toAnApplication) {
            problems.note(
                    mount.where("redirect"),
                    "This redirect leads from every path to "
                            + to
                            + " itself: write \""
                            + to
                            + "*\" to add the rest of the path and the query.");
        }
        boolean chosen = mount.isKey("status") && mount.has("status");
        int status = chosen ? (int) mount.number("status") : PERMANENT;
        Redirect.Rule rule =
                attempt(
                        mount.where("redirect"),
                        () ->
                                below
                                        ? new Redirect.Rule(
                                                "/*",
                                                to.substring(0, to.length() - 1),
                                                status,
                                                true)
                                        : new Redirect.Rule("/**", to, status, false));
        return rule == null ? List.of() : List.of(rule);
    }

    private FieldChanges fields(Values mount, @Nullable Values host) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (host != null) {
            all.putAll(host.names("fields"));
        }
        all.putAll(mount.names("fields"));
        List<FieldChanges.Change> changes = new ArrayList<>();
        all.forEach((name, value) -> {
            FieldChanges.Change change =
                    attempt(mount.where("fields"), () -> change(name, value).toAll());
            if (change != null) {
                changes.add(change);
            }
        });
        return changes.isEmpty() ? FieldChanges.NONE : new FieldChanges(changes);
    }

    /// Returns a change of a field. One of a field that is a list of independent values leaves those of
    /// the answer: caches need each reason why it varies (RFC 9110 §12.5.5), and cookies may be those of
    /// sessions.
    private static FieldChanges.Change change(String name, String value) {
        if (value.isEmpty()) {
            return FieldChanges.Change.remove(name);
        }
        @Nullable FieldName known = FieldName.of(name);
        return FieldName.VARY.equals(known) || FieldName.SET_COOKIE.equals(known)
                ? FieldChanges.Change.add(name, value)
                : FieldChanges.Change.set(name, value);
    }

    private Map<Integer, ErrorDocument> errors(Values mount, @Nullable Values host) {
        Map<Integer, ErrorDocument> all = new TreeMap<>();
        if (host != null) {
            addErrors(host, all);
        }
        addErrors(mount, all);
        return all;
    }

    private void addErrors(Values values, Map<Integer, ErrorDocument> all) {
        values.names("error-pages")
                .forEach((status, path) -> {
                    ErrorDocument page =
                            attempt(
                                    values.where("error-pages"),
                                    () -> new ErrorDocument.Internal(path));
                    if (page != null) {
                        all.put(Integer.valueOf(status), page);
                    }
                });
    }

    private MountLimits limits(Values limits) {
        LimitsReader.noteLone(limits, limits.has("rate"), problems);
        return new MountLimits(
                limits.has("content") ? limits.number("content") : 0,
                limits.has("request-time") ? limits.time("request-time").toNanos() : 0,
                limits.has("min-rate") ? limits.number("min-rate") : 0,
                limits.has("requests") ? (int) limits.number("requests") : 0,
                Limits.Rates.NONE.with(rate -> LimitsReader.rates(limits, rate, problems)));
    }

    /// Returns what `make` makes; null after a problem, if that refuses a value.
    private <T> @Nullable T attempt(String where, Supplier<T> make) {
        try {
            return make.get();
        } catch (IllegalArgumentException e) {
            problems.at(where).usage(e.getMessage() + ".");
            return null;
        }
    }
}
