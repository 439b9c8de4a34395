package dev.serval.settings;

import dev.serval.config.Values;
import dev.serval.policy.Http2Limits;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.policy.LoadRow;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reads the limits of a table. Stateless.
final class LimitsReader {
    private LimitsReader() {}

    /// Returns the limits of a table, and those of `base` for the keys that it does not have.
    static Limits read(Values values, Limits base, Problems problems) {
        return base.with(draft -> {
            rates(values, draft.rate, problems);
            counts(values, draft.counts);
            head(values, draft.head);
            pace(values, draft.pace);
            if (values.has("content")) {
                draft.content.maxBytes = values.number("content");
            }
        });
    }

    /// Returns the limits of the server, which also has those that all listeners share.
    static Limits ofServer(Values values, Limits base, Problems problems) {
        return read(values, base, problems)
                .with(draft -> {
                    if (values.has("memory")) {
                        draft.buffers.heldMaxBytes = values.number("memory");
                    }
                    if (values.has("workers")) {
                        draft.workers.workingMax = (int) values.number("workers");
                    }
                });
    }

    /// Returns limits with the keys of a table `http2`; those of `base` for the others.
    static Limits withHttp2(Values values, Limits base) {
        return base.with(draft -> http2(values, draft.http2));
    }

    private static void http2(Values values, Http2Limits.Draft draft) {
        if (values.has("enabled")) {
            draft.enabled = values.flag("enabled");
        }
        if (values.has("streams")) {
            draft.streamsMax = (int) values.number("streams");
        }
        if (values.has("window")) {
            draft.streamWindowMaxBytes = (int) values.number("window");
            draft.streamWindowBytes = Math.min(draft.streamWindowBytes, draft.streamWindowMaxBytes);
        }
        if (values.has("connection-window")) {
            draft.connectionWindowMaxBytes = (int) values.number("connection-window");
            draft.connectionWindowBytes =
                    Math.min(draft.connectionWindowBytes, draft.connectionWindowMaxBytes);
        }
        if (values.has("frame")) {
            draft.frameMaxBytes = (int) values.number("frame");
        }
        draft.pingNanos = nanos(values, "ping-time", draft.pingNanos);
    }

    /// Sets the rate of each client as the keys of a table say.
    static void rates(Values values, Limits.Rates.Draft rate, Problems problems) {
        if (values.has("rate")) {
            String text = values.text("rate");
            int slash = text.indexOf('/');
            int requests = slash < 0 ? 0 : Integer.parseInt(text.substring(0, slash));
            long seconds =
                    switch (text.charAt(text.length() - 1)) {
                        case 'h' -> TimeUnit.HOURS.toSeconds(1);
                        case 'm' -> TimeUnit.MINUTES.toSeconds(1);
                        default -> 1;
                    };
            rate.requests = requests;
            rate.perNanos = TimeUnit.SECONDS.toNanos(seconds);
            rate.burst = (int) Math.max(1, requests / seconds);
        }
        if (values.has("rate-burst")) {
            rate.burst = (int) values.number("rate-burst");
        }
        if (values.has("rate-except")) {
            rate.except =
                    SettingsFile.ranges(
                            values.texts("rate-except"), problems.at(values.where("rate-except")));
        }
    }

    /// Notes the keys of a table of limits that say more about a rate, if there is none.
    ///
    /// @param rated whether there is a rate that they could be of
    static void noteLone(Values values, boolean rated, Problems problems) {
        for (String key : List.of("rate-burst", "rate-except")) {
            if (!rated && values.has(key)) {
                problems.note(values.where(key), key + " has no effect without rate.");
            }
        }
    }

    /// Returns limits with the load modes of the table `[load]`.
    static Limits withLoad(Values load, Limits base) {
        return base.with(draft -> {
            draft.load.forced = mode(load.text("mode"));
            draft.load.resets = load.text("refuse").equals("reset");
            draft.load.refusingPercent = (int) load.number("refusing");
            Values light = load.table("light");
            draft.load.light =
                    draft.load.light.withWaitNanos(
                            light.time("queue-time").toNanos(),
                            light.time("returning-queue-time").toNanos());
            draft.load.normal = row(load.table("normal"));
            draft.load.heavy = row(load.table("heavy"));
            draft.load.critical = row(load.table("critical"));
        });
    }

    private static @Nullable LoadMode mode(String text) {
        return text.equals("auto") ? null : LoadMode.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static LoadRow row(Values values) {
        return new LoadRow(
                values.time("delay").toNanos(),
                (int) values.number("connections"),
                values.time("idle-time").toNanos(),
                values.flag("keep-alive"),
                values.time("queue-time").toNanos(),
                values.time("returning-queue-time").toNanos());
    }

    private static void counts(Values values, Limits.Counts.Draft counts) {
        if (values.has("connections")) {
            counts.connectionsMax = (int) values.number("connections");
        }
        if (values.has("connections-per-address")) {
            counts.perAddressMax = (int) values.number("connections-per-address");
        }
        if (values.has("requests")) {
            counts.exchangesMax = (int) values.number("requests");
        }
        if (values.has("requests-per-connection")) {
            counts.requestsPerConnectionMax = values.number("requests-per-connection");
        }
    }

    private static void head(Values values, Limits.Heads.Draft head) {
        if (values.has("line")) {
            head.lineMaxBytes = (int) values.number("line");
        }
        if (values.has("head")) {
            head.maxBytes = (int) values.number("head");
        }
        if (values.has("fields")) {
            head.fieldsMax = (int) values.number("fields");
        }
    }

    private static void pace(Values values, Limits.Paces.Draft pace) {
        pace.headNanos = nanos(values, "head-time", pace.headNanos);
        pace.handshakeNanos = nanos(values, "handshake-time", pace.handshakeNanos);
        pace.idleNanos = nanos(values, "idle-time", pace.idleNanos);
        pace.stallNanos = nanos(values, "stall-time", pace.stallNanos);
        pace.graceNanos = nanos(values, "grace-time", pace.graceNanos);
        pace.exchangeNanos = nanos(values, "request-time", pace.exchangeNanos);
        if (values.has("min-rate")) {
            pace.minBytesPerSecond = values.number("min-rate");
        }
    }

    private static long nanos(Values values, String key, long usual) {
        return values.has(key) ? values.time(key).toNanos() : usual;
    }
}
