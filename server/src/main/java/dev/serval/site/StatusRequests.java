package dev.serval.site;

import dev.serval.control.Commands.Answer;
import dev.serval.metrics.MountFigures;
import dev.serval.metrics.RequestPhase;
import dev.serval.metrics.SlowRequest;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Metrics;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Prints the requests that have ended: by mount, the slowest with the phases in which their time went,
/// and those that were refused. Stateless.
final class StatusRequests {
    private static final int MOUNTS_MAX = 20;
    private static final int SLOW_MAX = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    /// A phase is named if it took at least this part of the time.
    private static final int PART = 100;

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private StatusRequests() {}

    static void print(Metrics metrics, Answer answer) throws IOException {
        mounts(metrics.mounts(), answer);
        slow(metrics.slowest(SLOW_MAX, ""), answer);
        refusals(metrics.sums(LabelledCounter.REFUSALS), answer);
    }

    private static void mounts(List<MountFigures> mounts, Answer answer) throws IOException {
        List<MountFigures> used = mounts.stream().filter(one -> one.requests() > 0).toList();
        if (used.isEmpty()) {
            return;
        }
        answer.line("");
        answer.line(
                String.format(
                        Locale.ROOT,
                        "%-34s %12s %8s %8s %8s %12s %12s",
                        "Mount",
                        "requests",
                        "refused",
                        "4xx",
                        "5xx",
                        "median",
                        "99 %"));
        for (MountFigures mount : used.subList(0, Math.min(MOUNTS_MAX, used.size()))) {
            answer.line(
                    String.format(
                            Locale.ROOT,
                            "%-34s %12d %8d %8d %8d %9.2f ms %9.2f ms",
                            StatusScreen.printable(mount.mount()),
                            mount.requests(),
                            mount.refused(),
                            mount.errors(4),
                            mount.errors(5),
                            mount.times().quantileNanos(0.5) / NANOS_PER_MILLI,
                            mount.times().quantileNanos(0.99) / NANOS_PER_MILLI));
        }
    }

    private static void slow(List<SlowRequest> slow, Answer answer) throws IOException {
        if (slow.isEmpty()) {
            return;
        }
        answer.line("");
        answer.line("Slowest requests of the last 5 to 10 minutes, and where their time went");
        for (SlowRequest one : slow) {
            answer.line(
                    String.format(
                            Locale.ROOT,
                            "  %s  %10.1f ms  %s  %s: %s",
                            CLOCK.format(Instant.ofEpochSecond(one.endedEpochSeconds())),
                            one.totalNanos() / NANOS_PER_MILLI,
                            one.status() == 0 ? "none" : Integer.toString(one.status()),
                            StatusScreen.printable(one.name()),
                            phases(one)));
        }
    }

    private static String phases(SlowRequest one) {
        StringBuilder text = new StringBuilder();
        for (RequestPhase phase : RequestPhase.values()) {
            long nanos = one.nanos(phase);
            if (nanos > 0 && nanos >= one.totalNanos() / PART) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(phase.text())
                        .append(String.format(Locale.ROOT, " %.1f ms", nanos / NANOS_PER_MILLI));
            }
        }
        return text.toString();
    }

    private static void refusals(Map<String, Long> refusals, Answer answer) throws IOException {
        if (refusals.isEmpty()) {
            return;
        }
        answer.line("");
        answer.line("Refused since the start");
        for (Map.Entry<String, Long> one : refusals.entrySet()) {
            answer.line(
                    String.format(
                            Locale.ROOT, "  %8d  %s", one.getValue(), Counter.words(one.getKey())));
        }
    }
}
