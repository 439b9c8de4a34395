package dev.serval.gateway.lrwp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
    /// @throws IllegalArgumentException for a name that no peer can register
    public static AllowedNames of(Map<String, byte[]> passphrases) {
        Map<String, Rule> rules = new TreeMap<>();
        passphrases.forEach((name, secret) -> {
            rules.put(required(name), secret.length == 0 ? OPEN : new Rule.Secret(secret.clone()));
        });
        return new AllowedNames(Map.copyOf(rules), false);
    }

    /// Returns these names, and one more that only peers with a passphrase may register.
    ///
    /// @throws IllegalArgumentException if the passphrase is empty, or no peer can register the name
    public AllowedNames with(String name, byte[] passphrase) {
        if (passphrase.length == 0) {
            throw new IllegalArgumentException("The passphrase of " + name + " is empty");
        }
        Map<String, Rule> more = new TreeMap<>(rules);
        more.put(required(name), new Rule.Secret(passphrase.clone()));
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

    /// Returns the form in which names are compared, in lower case and such as `osp` for `/osp/`; null if
    /// no peer can register the name.
    public static @Nullable String comparable(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] message = Arrays.copyOf(text, text.length + 2);
        Arrays.fill(message, text.length, message.length, (byte) Startup.SEPARATOR);
        Startup startup = new Startup(message.length);
        return startup.take(message, 0, message.length) == Startup.Outcome.COMPLETE
                ? key(startup.registration().name())
                : null;
    }

    private static String required(String name) {
        @Nullable String key = comparable(name);
        if (key == null) {
            throw new IllegalArgumentException("No peer can register the name \"" + name + '"');
        }
        return key;
    }

    /// @param name of a registration
    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
