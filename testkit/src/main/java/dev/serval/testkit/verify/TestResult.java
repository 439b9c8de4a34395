package dev.serval.testkit.verify;

/// The result of one test. Immutable.
///
/// @param module the folder of its module, such as `engine`
/// @param className the class name with its package
/// @param test the method, with the arguments of a parameterized one; empty for a fault of the
///     class
/// @param outcome how it ended
record TestResult(String module, String className, String test, Outcome outcome) {
    /// How a test ended.
    sealed interface Outcome {
        /// The test succeeded.
        record Passed() implements Outcome {}

        /// An assumption failed, or the test is disabled.
        ///
        /// @param reason the reason in words; empty if the report gives none
        record Skipped(String reason) implements Outcome {
            /// Returns whether the machine lacks a Debian package that this test needs, or a program
            /// that CI installs in another way.
            boolean lacksPackage() {
                return reason.contains("Debian package") || reason.contains("CI installs it");
            }

            /// Returns whether the test does not apply to the kind of connection of this run. It runs
            /// over others.
            boolean isOfOtherMode() {
                return reason.startsWith("Not over ");
            }
        }

        /// An assertion failed, or another exception was thrown.
        ///
        /// @param trace the exception with its message, frames and causes
        record Failed(String trace) implements Outcome {}
    }

    /// Returns the class without its package, and the method: `LimitsTest.refusesLongHeads`.
    String title() {
        String type = className.substring(className.lastIndexOf('.') + 1);
        return test.isEmpty() ? type : type + "." + test;
    }
}
