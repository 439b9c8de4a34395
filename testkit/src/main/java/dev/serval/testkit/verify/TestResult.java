package dev.serval.testkit.verify;

/// What became of one test. Immutable.
///
/// @param module the folder of its module, such as `engine`
/// @param className with its package
/// @param test the method, with the arguments of a parameterized one; empty for a fault of the class
/// @param outcome how it ended
record TestResult(String module, String className, String test, Outcome outcome) {
    /// How a test ended.
    sealed interface Outcome {
        /// As it should.
        record Passed() implements Outcome {}

        /// By an assumption, or disabled.
        ///
        /// @param reason in words; empty if the report gives none
        record Skipped(String reason) implements Outcome {
            /// Whether the machine lacks a Debian package that this test needs.
            boolean lacksPackage() {
                return reason.contains("Debian package");
            }
        }

        /// By an assertion, or by any other exception.
        ///
        /// @param trace the exception with its message, frames and causes
        record Failed(String trace) implements Outcome {}
    }

    /// The class without its package, and the method: `LimitsTest.refusesLongHeads`.
    String title() {
        String type = className.substring(className.lastIndexOf('.') + 1);
        return test.isEmpty() ? type : type + "." + test;
    }
}
