package dev.serval.metrics;

import java.util.Arrays;

/// The requests of one mount that have ended, on one loop or on all. Immutable.
public final class MountFigures {
    private static final int PHASES = RequestPhase.values().length;
    private static final int CLASSES = MountTimes.CLASSES;

    private final String mount;
    private final long[] responses; // by class, then those of them that are refusals
    private final Distribution times;
    private final Distribution[] phases;

    /// Takes the arrays over.
    MountFigures(String mount, long[] responses, Distribution times, Distribution[] phases) {
        this.mount = mount;
        this.responses = responses;
        this.times = times;
        this.phases = phases;
    }

    /// Returns figures without requests.
    public static MountFigures none(String mount) {
        Distribution[] phases = new Distribution[PHASES];
        Arrays.fill(phases, Distribution.NONE);
        return new MountFigures(mount, new long[2 * CLASSES], Distribution.NONE, phases);
    }

    /// Returns the name of the mount: its prefix, after the host if it belongs to one.
    public String mount() {
        return mount;
    }

    /// Returns the number of requests, with or without an answer.
    public long requests() {
        return Arrays.stream(responses, 0, CLASSES).sum();
    }

    /// Returns the number of responses of a class.
    ///
    /// @param statusClass 1 to 5 for 1xx to 5xx; 0 for requests that ended without a status
    public long responses(int statusClass) {
        return responses[statusClass];
    }

    /// Returns the number of requests that the server itself has refused, because of a limit or its
    /// load.
    public long refused() {
        return Arrays.stream(responses, CLASSES, 2 * CLASSES).sum();
    }

    /// Returns the number of responses of a class without those with which the server itself has
    /// refused a request.
    ///
    /// @param statusClass as for [#responses]
    public long errors(int statusClass) {
        return Math.max(0, responses[statusClass] - responses[CLASSES + statusClass]);
    }

    /// Returns the times of the requests. Tunnels are not among them.
    public Distribution times() {
        return times;
    }

    /// Returns the times of a phase, without the requests that did not have it.
    @SuppressWarnings("EnumOrdinal") // a phase is its place
    public Distribution times(RequestPhase phase) {
        return phases[phase.ordinal()];
    }

    /// Returns the sum of these figures and those of another loop or mount, under this name.
    public MountFigures plus(MountFigures other) {
        return combined(other, 1);
    }

    /// Returns the requests that ended after an earlier reading.
    public MountFigures minus(MountFigures earlier) {
        return combined(earlier, -1);
    }

    private MountFigures combined(MountFigures other, int sign) {
        long[] classes = responses.clone();
        for (int i = 0; i < classes.length; i++) {
            classes[i] = Math.max(0, classes[i] + sign * other.responses[i]);
        }
        Distribution[] all = new Distribution[PHASES];
        for (int i = 0; i < PHASES; i++) {
            all[i] = sign > 0 ? phases[i].plus(other.phases[i]) : phases[i].minus(other.phases[i]);
        }
        Distribution sum = sign > 0 ? times.plus(other.times) : times.minus(other.times);
        return new MountFigures(mount, classes, sum, all);
    }
}
