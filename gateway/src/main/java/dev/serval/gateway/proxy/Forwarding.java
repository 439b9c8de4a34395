package dev.serval.gateway.proxy;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http1.Framing;
import dev.serval.http1.ReceivedHead;

/// What of a request and of its answer concerns only one of the two connections: framing, upgrade
/// and fields. Stateless.
final class Forwarding {
    private static final int SWITCHING_PROTOCOLS = 101;

    private Forwarding() {}

    /// Returns the framing for the upstream: that of the client, but always written anew.
    static Framing framing(RequestHead head) {
        if (head.contentLength() == RequestHead.UNKNOWN_LENGTH) {
            return Framing.CHUNKED;
        }
        // A request whose method has content by its nature says that it has none (RFC 9110 §8.6).
        boolean says =
                head.fields().contains(FieldName.CONTENT_LENGTH)
                        || switch (head.method()) {
                            case POST, PUT, PATCH -> true;
                            case GET, HEAD, DELETE, CONNECT, OPTIONS, TRACE, OTHER -> false;
                        };
        return says ? Framing.LENGTH : Framing.NONE;
    }

    /// Returns whether the client asks for another protocol that can be passed through. An upgrade
    /// to HTTP/2 is not one: its requests would pass unseen (RFC 9113 §3.1).
    static boolean asksForUpgrade(RequestHead head) {
        Fields fields = head.fields();
        int upgrade = fields.indexOf(FieldName.UPGRADE, 0);
        return upgrade >= 0
                && head.version() == HttpVersion.HTTP_1_1
                && HopFields.hasOption(fields, fields.indexOf(FieldName.CONNECTION, 0), "upgrade")
                && fields.indexOf(FieldName.UPGRADE, upgrade + 1) < 0
                && !HopFields.hasMember(fields, upgrade, "h2c");
    }

    /// Returns the fields of an answer without those of its connection. Upgrade stays if the answer
    /// opens a tunnel or demands one (RFC 9110 §15.5.22), unless the client's version has no upgrade.
    ///
    /// @param request to which the answer belongs
    static Fields fields(ReceivedHead head, RequestHead request) {
        boolean demands =
                head.status().equals(Status.UPGRADE_REQUIRED)
                        && request.version() == HttpVersion.HTTP_1_1;
        boolean upgrades = demands || head.status().code() == SWITCHING_PROTOCOLS;
        Fields from = head.fields();
        Fields to = new Fields();
        HopFields hops = HopFields.of(from);
        for (int i = 0; i < from.size(); i++) {
            boolean kept = upgrades && from.id(i) == FieldName.UPGRADE.id();
            if (kept || !hops.drops(from, i)) {
                to.add(from, i);
            }
        }
        if (demands && to.contains(FieldName.UPGRADE)) {
            to.add(FieldName.CONNECTION, "upgrade"); // (§7.8); 101 gets it from the engine
        }
        return to;
    }
}
