package dev.serval.servlet.parameter;

/// The limits of the parameters of one request. Immutable.
///
/// @param parametersMax parameters of query and form together; each repetition of a name counts
/// @param formMaxBytes content of a form, or text of all parts without a file name
public record ParameterLimits(int parametersMax, int formMaxBytes) {
    /// 1,000 parameters, 2 MiB of form content.
    public static final ParameterLimits DEFAULT = new ParameterLimits(1000, 2 << 20);

    private static final int MOST_PARAMETERS = 1 << 20;
    private static final int MOST_BYTES = 1 << 28;

    /// Checks the values.
    public ParameterLimits {
        check("parametersMax", parametersMax, MOST_PARAMETERS);
        check("formMaxBytes", formMaxBytes, MOST_BYTES);
    }

    private static void check(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + ": it must be from 1 to " + most + ".");
        }
    }
}
