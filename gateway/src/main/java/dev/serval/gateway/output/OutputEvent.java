package dev.serval.gateway.output;

/// What the next bytes of an answer are.
public enum OutputEvent {
    /// No further bytes have arrived.
    MORE,
    /// Output of the application, from [OutputCodec#contentFrom] to [OutputCodec#contentTo].
    OUTPUT,
    /// Text for the log, in the same range.
    ERRORS,
    /// The answer has ended; see [OutputCodec#outcome].
    END,
    /// The bytes break a rule; see [OutputCodec#error].
    WRONG
}
