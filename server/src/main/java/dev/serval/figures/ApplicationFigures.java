package dev.serval.figures;

import dev.serval.servlet.LoginFigures;
import dev.serval.servlet.SessionFigures;
import dev.serval.servlet.WebApp;
import dev.serval.site.Applications;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the figures of web applications. Those of a version that was replaced go with it. Stateless.
final class ApplicationFigures {
    private static final double NANOS_PER_SECOND = 1e9;

    private ApplicationFigures() {}

    static void add(Applications applications, Exposition to) {
        applications
                .running()
                .forEach((mount, app) -> {
                    String name = mount.place().toString();
                    to.add(Metric.APPLICATION_REQUESTS, app.requestsInProgress(), name);
                    to.add(Metric.APPLICATION_FAULTS, app.faults(), name);
                    addServlets(app, name, to);
                    addSessions(app.sessionFigures(), name, to);
                });
        @Nullable LoginFigures logins = applications.logins();
        if (logins != null) {
            Map.of(
                            "accepted", logins.accepted(),
                            "remembered", logins.remembered(),
                            "rejected", logins.rejected(),
                            "slowed", logins.slowed(),
                            "refused", logins.refused(),
                            "replayed", logins.replayed())
                    .forEach((result, count) -> to.add(Metric.LOGINS, count, result));
        }
    }

    private static void addServlets(WebApp app, String name, Exposition to) {
        app.times()
                .forEach((servlet, times) -> {
                    if (times.requests() > 0) {
                        double sum = times.sumNanos() / NANOS_PER_SECOND;
                        to.addSummary(Metric.SERVLET_TIME, times.requests(), sum, name, servlet);
                        to.addNanos(Metric.SERVLET_LONGEST, times.maxNanos(), name, servlet);
                    }
                });
    }

    private static void addSessions(SessionFigures now, String name, Exposition to) {
        to.add(Metric.SESSIONS, now.inMemory(), name, "memory");
        to.add(Metric.SESSIONS, now.stored(), name, "files");
        to.add(Metric.SESSIONS_REFUSED, now.refused(), name);
        to.add(Metric.SESSIONS_ENDED_EARLY, now.endedEarly(), name);
        to.add(Metric.SESSIONS_LOST, now.lost(), name);
        to.add(Metric.SESSION_FAILURES, now.failures(), name);
    }
}
