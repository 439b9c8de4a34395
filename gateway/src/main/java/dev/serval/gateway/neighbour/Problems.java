package dev.serval.gateway.neighbour;

import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong with the settings of one neighbour. Used by one thread.
final class Problems {
    private final List<Problem> all = new ArrayList<>();

    /// Adds a problem.
    ///
    /// @param sentence ends with a full stop
    void add(String setting, int index, String sentence) {
        all.add(new Problem(setting, index, sentence, false));
    }

    /// Adds a problem of this machine only.
    ///
    /// @param sentence ends with a full stop
    void addOfMachine(String setting, int index, String sentence) {
        all.add(new Problem(setting, index, sentence, true));
    }

    /// Adds a problem of a setting that there is only once.
    void add(String setting, String sentence) {
        add(setting, -1, sentence);
    }

    /// Runs a check whose exception is the problem.
    void check(String setting, int index, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            add(setting, index, e.getMessage() + ".");
        }
    }

    /// Runs a check of a setting that there is only once.
    void check(String setting, Runnable check) {
        check(setting, -1, check);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    List<Problem> all() {
        return List.copyOf(all);
    }
}
