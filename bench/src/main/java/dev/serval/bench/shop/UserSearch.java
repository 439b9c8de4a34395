package dev.serval.bench.shop;

import java.io.IOException;

/// Searches for the greatest number of users that passes: doubles it until one does not, then halves
/// the distance between the two. Assumes that more users do not pass where fewer do not.
///
/// @param passed the greatest number that passed, or 0
/// @param failed the least number that did not, or 0 if all did
record UserSearch(int passed, int failed) {
    /// Tries a number of users.
    interface Trial {
        boolean passes(int users) throws IOException;
    }

    /// Searches.
    ///
    /// @param first the number that is tried first
    /// @param most the greatest number that is tried
    /// @param halvings the trials after the doubling
    static UserSearch run(int first, int most, int halvings, Trial trial) throws IOException {
        int passed = 0;
        int failed = 0;
        int next = Math.min(first, most);
        while (failed == 0 && passed < most) {
            if (trial.passes(next)) {
                passed = next;
                next = (int) Math.min(2L * next, most);
            } else {
                failed = next;
            }
        }
        for (int i = 0; i < halvings && failed - passed > 1; i++) {
            int middle = passed + (failed - passed) / 2;
            if (trial.passes(middle)) {
                passed = middle;
            } else {
                failed = middle;
            }
        }
        return new UserSearch(passed, failed);
    }

    /// Returns the bounds as text.
    String text() {
        return failed == 0 ? "≥ " + passed : passed + "–" + failed;
    }
}
