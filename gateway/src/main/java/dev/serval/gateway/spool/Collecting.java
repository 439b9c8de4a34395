package dev.serval.gateway.spool;

import dev.serval.http.RequestHead;

/// Decides which content is collected before a peer is asked for. Content whose length is not known
/// always is, because CGI needs the length. Immutable.
///
/// @param quota memory and files for contents
/// @param always whether content whose length is known is collected too, so that a slow client holds
///     no peer
public record Collecting(SpoolQuota quota, boolean always) {
    /// Returns whether content of this length is collected. Content for which the quota has no
    /// space now is streamed, if its length is known.
    public boolean takes(long length) {
        return length == RequestHead.UNKNOWN_LENGTH
                || (always && length > 0 && quota.hasDiskFor(length));
    }
}
