package dev.serval.settings;

import dev.serval.config.Values;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.policy.LoadRow;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the limits of a table. Stateless.
final class LimitsReader {
    private LimitsReader() {}

    /// Returns the limits of a table, and those of `base` for the keys that it does not have.
    static Limits read(Values values, Limits base) {
        return base.with(draft -> {
            counts(values, draft.counts);
            head(values, draft.head);
            pace(values, draft.pace);
            if (values.has("content")) {
                draft.content.maxBytes = values.number("content");
            }
            if (values.has("memory")) {
                draft.buffers.heldMaxBytes = values.number("memory");
            }
        });
    }

    /// Returns limits with the load modes of the table `[load]`.
    static Limits withLoad(Values load, Limits base) {
        return base.with(draft -> {
            draft.load.forced = mode(load.text("mode"));
            draft.load.resets = load.text("refuse").equals("reset");
            draft.load.refusingPercent = (int) load.number("refusing");
            draft.load.light =
                    draft.load.light.withWaitNanos(
                            load.table("light").time("queue-time").toNanos());
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
                values.time("queue-time").toNanos());
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
