package dev.serval.bench.report;

import java.util.Locale;

/// The words of constants in tables, in files and on command lines. Stateless.
public final class Words {
    private Words() {}

    /// Returns the name in small letters, such as `g1`.
    public static String key(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /// Returns the name as words, such as `not measured`.
    public static String of(Enum<?> constant) {
        return key(constant).replace('_', ' ');
    }
}
