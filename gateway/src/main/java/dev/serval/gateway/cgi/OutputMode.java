package dev.serval.gateway.cgi;

/// Which outputs an [OutputParser] takes.
public enum OutputMode {
    /// Only those with a head of fields (RFC 3875 §6.2): SCGI and FastCGI. A status line may stand
    /// before the fields, as uWSGI's `scgi-nph-socket` and `fastcgi-nph-socket` send it.
    STRICT,
    /// Also those that peers written for Xitami send (LRWP):
    ///
    /// - output that does not begin with a field, such as one with `<`, or that has no empty line:
    ///   it is all content, of type `text/html`. A first line that has a colon after what looks like
    ///   a name is a malformed field;
    /// - an empty line first: a head without fields.
    LENIENT
}
