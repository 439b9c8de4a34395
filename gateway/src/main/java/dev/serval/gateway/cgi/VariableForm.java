package dev.serval.gateway.cgi;

/// How a protocol writes a variable.
public enum VariableForm {
    /// `NAME=VALUE` and a NUL byte: LRWP.
    ASSIGNMENTS,
    /// The name and the value, each ended by a NUL byte: SCGI.
    NUL_PAIRS,
    /// The lengths of name and value, then both (FastCGI 1.0 §3.4). The length of the value always
    /// has four bytes, because it is set after the value was written.
    LENGTHS
}
