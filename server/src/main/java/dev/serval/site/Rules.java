package dev.serval.site;

import dev.serval.access.BasicAccess;
import dev.serval.access.SiteUsers;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Mounted;
import dev.serval.file.FileHandler;
import dev.serval.gateway.fastcgi.FastcgiHandler;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.handler.RequestCount;
import dev.serval.rule.AddressRules;
import dev.serval.rule.DeniedPaths;
import dev.serval.rule.Redirect;
import dev.serval.rule.Rewrite;
import dev.serval.rule.Tracing;
import dev.serval.rule.TryFiles;
import dev.serval.settings.MountChoice;
import dev.serval.settings.MountRules;
import dev.serval.settings.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// The rules of all mounts, as handlers. Those that are the same in a later configuration keep what
/// they know: who has logged in, and which requests are in progress. Immutable.
public final class Rules {
    private static final Handler TRACING =
            new Tracing(() -> ThreadLocalRandom.current().nextLong());

    /// The rules of one mount.
    ///
    /// @param handlers without TryFiles, which needs the files of the mount
    private record Ready(MountRules rules, List<Handler> handlers, MountSettings settings) {}

    private final Map<Place, Ready> byPlace;
    private final Ready others; // of places that have none
    private final Map<Path, SiteUsers> users;
    private final SiteLogs logs;

    private Rules(
            Map<Place, Ready> byPlace, Ready others, Map<Path, SiteUsers> users, SiteLogs logs) {
        this.logs = logs;
        this.byPlace = byPlace;
        this.others = others;
        this.users = users;
    }

    /// Returns no rules.
    ///
    /// @param logs those that mounts may choose
    public static Rules none(SiteLogs logs) {
        Ready nothing = new Ready(MountRules.NONE, List.of(), MountSettings.NONE);
        return new Rules(Map.of(), nothing, Map.of(), logs);
    }

    /// Returns the rules of a changed configuration.
    ///
    /// @throws IOException if a file of users cannot be read
    public Rules changedTo(MountChoice served) throws IOException {
        Map<Place, MountRules> changed = served.rules();
        Map<Place, Ready> next = new HashMap<>();
        Map<Path, SiteUsers> files = new HashMap<>();
        for (Map.Entry<Place, MountRules> each : changed.entrySet()) {
            @Nullable Ready present = byPlace.get(each.getKey());
            MountRules.@Nullable Login login = each.getValue().login();
            if (login != null) {
                @Nullable SiteUsers open = users.get(login.users());
                if (!files.containsKey(login.users())) {
                    files.put(login.users(), open == null ? SiteUsers.open(login.users()) : open);
                }
            }
            next.put(
                    each.getKey(),
                    present != null && present.rules.equals(each.getValue())
                            ? present
                            : ready(each.getValue(), files));
        }
        return new Rules(next, ready(served.otherRules(), files), files, logs);
    }

    private Ready ready(MountRules rules, Map<Path, SiteUsers> files) {
        List<Handler> handlers = new ArrayList<>();
        if (!rules.access().isEmpty()) {
            handlers.add(new AddressRules(rules.access()));
        }
        MountRules.@Nullable Login login = rules.login();
        @Nullable SiteUsers users = login == null ? null : files.get(login.users());
        if (login != null && users != null) {
            handlers.add(new BasicAccess(users, login.realm(), login.roles()));
        }
        if (!rules.denied().isEmpty()) {
            handlers.add(DeniedPaths.of(rules.denied()));
        }
        if (!rules.rewrites().isEmpty()) {
            handlers.add(new Rewrite(rules.rewrites()));
        }
        if (!rules.rewrites().isEmpty() && !rules.denied().isEmpty()) {
            handlers.add(DeniedPaths.of(rules.denied())); // the new paths, too
        }
        rules.redirects().forEach(rule -> handlers.add(new Redirect(rule)));
        return new Ready(rules, List.copyOf(handlers), settings(rules));
    }

    private MountSettings settings(MountRules rules) {
        MountRules.MountLimits limits = rules.limits();
        return MountSettings.NONE.with(draft -> {
            draft.contentMaxBytes = limits.contentMaxBytes();
            draft.exchangeNanos = limits.exchangeNanos();
            draft.minBytesPerSecond = limits.minBytesPerSecond();
            draft.requests =
                    limits.requestsMax() == 0 ? null : new RequestCount(limits.requestsMax());
            draft.rate = limits.rate().begin();
            draft.fields = rules.fields();
            draft.compression = rules.compression();
            draft.errors = rules.errors();
            draft.interceptsErrors = rules.intercepts();
            @Nullable String log = rules.log();
            draft.log = log == null ? null : logs.named(log);
        });
    }

    /// Returns whether a place has rules.
    boolean has(Place place) {
        return byPlace.containsKey(place);
    }

    /// Returns whether the rules of a place redirect requests, so that nothing after them answers.
    boolean redirects(Place place) {
        @Nullable Ready ready = byPlace.get(place);
        return ready != null && !ready.rules.redirects().isEmpty();
    }

    /// Returns what is mounted, with the rules of the place before it.
    Mounted before(Place place, Mounted mounted) {
        Mounted traced = traced(mounted);
        @Nullable Ready ready = byPlace.get(place);
        if (ready == null) {
            return traced.after(others.handlers, others.settings);
        }
        List<Handler> first = new ArrayList<>(ready.handlers);
        if (!ready.rules.tryFiles().isEmpty()) {
            for (Handler handler : mounted.chain()) {
                if (handler instanceof FileHandler files) {
                    first.add(tryFiles(mounted, files, ready.rules.tryFiles()));
                    if (!ready.rules.denied().isEmpty()) {
                        first.add(DeniedPaths.of(ready.rules.denied()));
                    }
                    break;
                }
            }
        }
        return traced.after(first, ready.settings);
    }

    private static Handler tryFiles(Mounted mounted, FileHandler files, List<String> paths) {
        TryFiles rule = TryFiles.of(files, paths);
        return mounted.chain().stream().anyMatch(FastcgiHandler.class::isInstance)
                ? rule.withScripts(FastcgiHandler.SCRIPT_EXTENSION)
                : rule;
    }

    /// Returns what is mounted, and gives its requests a trace before, if a log has traces. Files need
    /// none, because they pass it on to nobody.
    private Mounted traced(Mounted mounted) {
        boolean passesOn = false;
        for (Handler handler : mounted.chain()) {
            passesOn |= !(handler instanceof FileHandler);
        }
        return passesOn && logs.traces()
                ? mounted.after(List.of(TRACING), mounted.settings())
                : mounted;
    }
}
