package dev.serval.config;

/// One key of a configuration. Immutable.
///
/// @param name within its table
/// @param type of its values
/// @param usual the default as a file would say it, such as `"30s"`; a sentence in parentheses if it
///     depends on something; empty if there is none
/// @param what one or two sentences about it
/// @param traits how it differs from most keys
public record Key(String name, KeyType type, String usual, String what, Traits traits) {
    /// How a key differs from most.
    ///
    /// @param required whether its table needs it
    /// @param secrecy which part of its value nothing prints
    /// @param restart whether a change needs a restart
    public record Traits(boolean required, Secrecy secrecy, boolean restart) {
        static final Traits NONE = new Traits(false, Secrecy.NONE, false);
    }

    /// Creates a key as most are.
    static Key of(String name, KeyType type, String usual, String what) {
        return new Key(name, type, usual, what, Traits.NONE);
    }

    /// Returns this key as one whose default is somewhere else.
    ///
    /// @param other a sentence in parentheses
    Key withUsual(String other) {
        return new Key(name, type, other, what, traits);
    }

    /// Returns this key as one that its table needs.
    Key asRequired() {
        return new Key(name, type, usual, what, new Traits(true, traits.secrecy, traits.restart));
    }

    /// Returns this key as one whose value nothing prints as a whole.
    Key asSecret(Secrecy secrecy) {
        return new Key(
                name, type, usual, what, new Traits(traits.required, secrecy, traits.restart));
    }

    /// Returns this key as one whose change needs a restart.
    Key asRestart() {
        return new Key(name, type, usual, what, new Traits(traits.required, traits.secrecy, true));
    }

    /// Returns whether the default is a value of TOML.
    boolean hasUsualValue() {
        return !usual.isEmpty() && !usual.startsWith("(");
    }
}
