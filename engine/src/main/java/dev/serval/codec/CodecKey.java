package dev.serval.codec;

/// The right to fill the head and the fields of a received message. Only the engine and its modules
/// can name this type, so applications cannot make or change what they receive.
public enum CodecKey {
    /// The only key.
    KEY
}
