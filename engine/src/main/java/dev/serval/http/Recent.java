package dev.serval.http;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Remembers what a rule said of the last keys, because clients ask for the same ones again. It has a
/// fixed number of places, and a key's hash decides which one it takes, whoever has it. Any thread,
/// without locks: at worst the rule is asked again.
///
/// @param <K> a type with `equals` and `hashCode`; a key must not change
public final class Recent<K> {
    private static final int PLACES = 64;

    private final Predicate<K> rule;
    private final @Nullable Said[] said = new @Nullable Said[PLACES];

    /// What the rule said of a key.
    private record Said(Object key, boolean yes) {}

    /// Remembers nothing yet.
    ///
    /// @param rule says always the same of equal keys
    public Recent(Predicate<K> rule) {
        this.rule = rule;
    }

    /// Returns what the rule says of a key.
    public boolean of(K key) {
        int hash = key.hashCode();
        int place = (hash ^ hash >>> Short.SIZE) & (PLACES - 1);
        @Nullable Said last = said[place]; // its fields are final, so a race is harmless
        if (last != null && last.key().equals(key)) {
            return last.yes();
        }
        boolean yes = rule.test(key);
        said[place] = new Said(key, yes);
        return yes;
    }
}
