package dev.serval.gateway.spool;

import dev.serval.exchange.Lender;
import dev.serval.http.RequestHead;

/// Decides which content waits in this server: that of requests, before a peer is asked for, and that
/// of answers. Immutable.
///
/// @param quota memory and files for contents
/// @param always whether content whose length is known is collected too, and the rest of an answer
///     is stored, so that a slow client holds no peer
/// @param answerMaxBytes of one answer that are collected before its client takes more
public record Collecting(SpoolQuota quota, boolean always, long answerMaxBytes) {
    /// Creates one whose answers leave files for others.
    public Collecting(SpoolQuota quota, boolean always) {
        this(quota, always, quota.answerMaxBytes());
    }

    /// Returns whether content of this length is collected for CGI. Content whose length is not
    /// known always is, because CGI needs the length.
    public boolean takes(long length) {
        return length == RequestHead.UNKNOWN_LENGTH || takesKnown(length);
    }

    /// Returns whether content of this length is collected for a protocol that can also stream
    /// content of unknown length. Content for which the quota has no space now is streamed.
    ///
    /// @param length may be unknown
    public boolean takesKnown(long length) {
        return always && length > 0 && quota.hasDiskFor(length);
    }

    /// Returns an empty spool for the content of a request.
    ///
    /// @param lender of the loop's buffers
    @SuppressWarnings("exports") // only the gateway and its protocols use it
    public Spool spool(Lender lender) {
        return new Spool(quota, lender, false);
    }

    /// Returns an empty spool for the rest of an answer.
    ///
    /// @param lender of the loop's buffers
    @SuppressWarnings("exports") // only the gateway and its protocols use it
    public Spool spoolOfAnswer(Lender lender) {
        return new Spool(quota, lender, true);
    }
}
