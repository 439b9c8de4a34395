package dev.serval.gateway.lrwp;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which names peers may register, and with which passphrases. Names ignore case, as in Xitami.
/// Immutable.
public final class AllowedNames {
    /// Allows every name that takes no path from a guarded mount ([LrwpMounts]).
    public static final AllowedNames ALL = new AllowedNames(Map.of(), true);

    /// What is allowed for one name.
    sealed interface Rule {
        /// Any peer may register it, also in front of a guarded mount.
        record Open() implements Rule {}

        /// No rule names it. Any peer may register it, but not in front of a guarded mount.
        record Unnamed() implements Rule {}

        /// Only a peer that knows the passphrase may register it.
        @SuppressWarnings("ArrayRecordComponent") // never changed
        record Secret(byte[] passphrase) implements Rule {}

        /// No peer may register it.
        record Forbidden() implements Rule {}
    }

    private static final Rule OPEN = new Rule.Open();
    private static final Rule UNNAMED = new Rule.Unnamed();
    private static final Rule FORBIDDEN = new Rule.Forbidden();

    private final Map<String, Rule> rules;
    private final boolean all;

    private AllowedNames(Map<String, Rule> rules, boolean all) {
        this.rules = rules;
        this.all = all;
    }

    /// Allows only these names.
    ///
    /// @param passphrases by name; an empty one means that none is needed
    /// @throws IllegalArgumentException for a name that is empty or longer than 200 bytes
    public static AllowedNames of(Map<String, byte[]> passphrases) {
        Map<String, Rule> rules = new TreeMap<>();
        passphrases.forEach((name, secret) -> {
            String key = key(name);
            if (key.isEmpty()) {
                throw new IllegalArgumentException("A name of an application must not be empty");
            }
            rules.put(key, secret.length == 0 ? OPEN : new Rule.Secret(secret.clone()));
        });
        return new AllowedNames(Map.copyOf(rules), false);
    }

    /// Returns these names, and one more that only peers with a passphrase may register.
    ///
    /// @throws IllegalArgumentException if the passphrase is empty
    public AllowedNames with(String name, byte[] passphrase) {
        if (passphrase.length == 0) {
            throw new IllegalArgumentException("The passphrase of " + name + " is empty");
        }
        Map<String, Rule> more = new TreeMap<>(rules);
        more.put(key(name), new Rule.Secret(passphrase.clone()));
        return new AllowedNames(Map.copyOf(more), all);
    }

    /// Returns whether every name is allowed, some of them perhaps with a passphrase.
    public boolean allowsAll() {
        return all;
    }

    /// Returns the names that have a rule of their own, in no order.
    public Set<String> names() {
        return rules.keySet();
    }

    /// Returns what is allowed for a name.
    Rule rule(String name) {
        @Nullable Rule found = rules.get(key(name));
        if (found != null) {
            return found;
        }
        return all ? UNNAMED : FORBIDDEN;
    }

    /// Returns whether a rule names it.
    boolean isNamed(String name) {
        return rules.containsKey(key(name));
    }

    /// Returns a name as names are compared: in lower case, and without the slash before it.
    public static String key(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("/") && lower.length() > 1 ? lower.substring(1) : lower;
    }
}
