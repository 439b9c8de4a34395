package dev.serval.http2;

import dev.serval.codec.Authority;
import dev.serval.codec.TargetCharacters;
import dev.serval.hpack.FieldSink;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.policy.Limits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Fills the head of a request from its field lines, and checks them (RFC 9113 §8.2, §8.3). Order of
/// calls: [#begin], [#name] with [#value] for each line, [#end].
///
/// A head is refused in one of two ways. A malformed one ends its stream ([#malformed]). One that is
/// well-formed but breaks a rule of HTTP is answered ([#refused]). Owned by the connection.
public final class RequestFields implements FieldSink {
    /// What a line is. Those of pseudo-header fields come first.
    private enum Line {
        METHOD(":method"),
        SCHEME(":scheme"),
        AUTHORITY(":authority"),
        PATH(":path"),
        PROTOCOL(":protocol"),
        HOST(""),
        CONTENT_LENGTH(""),
        TE(""),
        EXPECT(""),
        ORDINARY("");

        static final Line[] PSEUDO = {METHOD, SCHEME, AUTHORITY, PATH, PROTOCOL};

        final String text;

        Line(String text) {
            this.text = text;
        }

        @SuppressWarnings("EnumOrdinal") // bits of a set that lives for one head
        int bit() {
            return 1 << ordinal();
        }
    }

    /// The pseudo-header fields that a request must have.
    private static final int NEEDED = Line.METHOD.bit() | Line.SCHEME.bit() | Line.PATH.bit();

    /// Those that a CONNECT to another server must have, and no others.
    private static final int OF_CONNECT = Line.METHOD.bit() | Line.AUTHORITY.bit();

    private static final int ALL = NEEDED | OF_CONNECT | Line.PROTOCOL.bit();
    private static final byte[] CRUMBS = "; ".getBytes(StandardCharsets.US_ASCII);

    private final TargetCharacters characters;
    private final boolean extendedConnect;
    private @Nullable RequestHeadWriter writer;
    private Limits.Heads limits = Limits.Heads.DEFAULT;
    private Line line = Line.ORDINARY;
    private int seen; // bits of the lines that stood in the head
    private int fieldCount;
    private int cookies;
    private boolean regular; // whether a line came that is no pseudo-header field
    private long contentLength;
    private boolean https;
    private boolean asterisk;
    private boolean headOnly;
    private boolean hasPort; // in the authority
    private boolean cut; // whether fields were left out
    private @Nullable FrameError malformed;
    private @Nullable ProtocolError refused;

    /// Creates a reader of heads.
    ///
    /// @param characters those that a target may have
    /// @param extendedConnect whether the client may send `:protocol` (RFC 8441 §4)
    public RequestFields(TargetCharacters characters, boolean extendedConnect) {
        this.characters = characters;
        this.extendedConnect = extendedConnect;
    }

    /// Begins a head.
    public void begin(RequestHeadWriter into, Limits.Heads bounds) {
        into.reset();
        writer = into;
        limits = bounds;
        line = Line.ORDINARY;
        seen = 0;
        fieldCount = 0;
        cookies = 0;
        regular = false;
        contentLength = RequestHead.UNKNOWN_LENGTH;
        asterisk = false;
        hasPort = false;
        cut = false;
        malformed = null;
        refused = null;
    }

    @Override
    public void name(@Nullable FieldName known, byte[] from, int at, int end) {
        if (at < end && from[at] == ':') {
            line = pseudo(from, at, end);
            found(regular ? Broken.PSEUDO_LATE : null);
            count(line == Line.AUTHORITY);
        } else {
            regular = true;
            line = regular(known);
            @Nullable FrameError wrong = FieldRules.wrongName(known, from, at, end);
            found(wrong);
            if (wrong == null && line != Line.HOST) {
                writer().name(known, from, at, end);
            }
            boolean cookie = FieldName.COOKIE.equals(known);
            cookies += cookie ? 1 : 0;
            count(!cookie || cookies == 1);
        }
    }

    /// Counts a line that is a field over HTTP/1.1: the authority is Host there, and the parts of a
    /// cookie are one field (§8.2.3). So the limit is the same.
    private void count(boolean field) {
        fieldCount += field ? 1 : 0;
        if (fieldCount > limits.fieldsMax()) {
            refuse(Refused.FIELDS_TOO_LARGE);
        }
    }

    @Override
    public void value(byte[] from, int at, int end) {
        found(FieldRules.wrongValue(from, at, end));
        if (malformed != null) {
            return;
        }
        boolean again = (seen & line.bit()) != 0 && line != Line.ORDINARY;
        seen |= line.bit();
        switch (line) {
            case METHOD, SCHEME, AUTHORITY, PATH, PROTOCOL -> {
                if (again) {
                    found(Broken.PSEUDO_REPEATED);
                } else {
                    pseudo(from, at, end, writer());
                }
            }
            case HOST -> host(from, at, end, again);
            case CONTENT_LENGTH, TE, EXPECT, ORDINARY -> {
                writer().value(from, at, end);
                field(from, at, end, again);
            }
        }
    }

    /// Ends the head.
    ///
    /// @param last whether the client has ended its half, so that there is no content
    public void end(boolean last) {
        RequestHeadWriter into = writer();
        checkPseudo(into);
        if (last && contentLength > 0) {
            found(Broken.LENGTH);
        }
        if (cookies > 1) { // handlers know only one (§8.2.3)
            into.join(FieldName.COOKIE, CRUMBS);
        }
        headOnly = seen(Line.METHOD) && into.head().method() == Method.HEAD;
        into.end(last ? 0 : contentLength, !last && seen(Line.EXPECT));
        writer = null;
    }

    /// Notes that fields were left out, because they are too large together. If not even the target
    /// was read, it is what is too long, because it stands among the first fields.
    public void tooLarge() {
        cut = true;
        refuse(seen(Line.PATH) || regular ? Refused.FIELDS_TOO_LARGE : Refused.TARGET_TOO_LONG);
    }

    /// Notes that no handler opens tunnels for the protocol of an extended CONNECT.
    public void unknownProtocol() {
        refuse(Refused.PROTOCOL);
    }

    /// Returns the rule whose breach ends the stream, or null. Valid after [#end].
    public @Nullable FrameError malformed() {
        return malformed;
    }

    /// Returns the rule whose breach is answered, or null. Valid after [#end].
    public @Nullable ProtocolError refused() {
        return refused;
    }

    /// Returns whether the method is HEAD, so that no answer has content. Valid after [#end].
    public boolean asksForHeadOnly() {
        return headOnly;
    }

    private static Line regular(@Nullable FieldName known) {
        if (FieldName.HOST.equals(known)) {
            return Line.HOST;
        }
        if (FieldName.CONTENT_LENGTH.equals(known)) {
            return Line.CONTENT_LENGTH;
        }
        if (FieldName.TE.equals(known)) {
            return Line.TE;
        }
        return FieldName.EXPECT.equals(known) ? Line.EXPECT : Line.ORDINARY;
    }

    private Line pseudo(byte[] from, int at, int end) {
        for (Line pseudo : Line.PSEUDO) {
            if (FieldRules.is(pseudo.text, from, at, end)
                    && (pseudo != Line.PROTOCOL || extendedConnect)) {
                return pseudo;
            }
        }
        found(Broken.PSEUDO_UNKNOWN);
        return Line.ORDINARY;
    }

    private void pseudo(byte[] from, int at, int end, RequestHeadWriter into) {
        switch (line) {
            case METHOD -> {
                if (!into.method(from, at, end, HttpVersion.HTTP_2)) {
                    found(Broken.PSEUDO_MISSING);
                }
            }
            case SCHEME -> {
                https = FieldRules.isInAnyCase("https", from, at, end);
                into.scheme(https);
                if (!https && !FieldRules.isInAnyCase("http", from, at, end)) {
                    refuse(Refused.SCHEME);
                }
            }
            case AUTHORITY -> authority(from, at, end);
            case PATH -> path(from, at, end, into);
            default -> into.connectProtocol(from, at, end);
        }
    }

    private void authority(byte[] from, int at, int end) {
        if (!Authority.valid(from, at, end) || !Authority.named(from, at, end)) {
            refuse(Refused.HOST);
        }
        hasPort = Authority.hasPort(from, at, end);
        writer().authority(from, at, end);
    }

    private void path(byte[] from, int at, int end, RequestHeadWriter into) {
        if (end - at > limits.lineMaxBytes()) {
            refuse(Refused.TARGET_TOO_LONG);
            return;
        }
        asterisk = end - at == 1 && from[at] == '*';
        if (at == end || (from[at] != '/' && !asterisk)) {
            found(Broken.PSEUDO_MISSING);
            return;
        }
        int pathEnd = asterisk ? end : characters.pathEnd(from, at, end);
        int wrongAt = pathEnd;
        if (pathEnd < end && from[pathEnd] == '?') {
            wrongAt = characters.queryEnd(from, pathEnd + 1, end);
        }
        if (wrongAt < end) {
            refuse(from[wrongAt] == '#' ? Refused.FRAGMENT : Refused.TARGET);
            return;
        }
        @Nullable ProtocolError wrong = into.path(from, at, end);
        if (wrong != null) {
            refuse(wrong);
        }
    }

    /// Takes Host, which may only repeat `:authority` or stand in its place (§8.3.1). What is the same
    /// after normalization is a repetition.
    private void host(byte[] from, int at, int end, boolean again) {
        Fields fields = writer().head().fields();
        if (again) {
            refuse(Refused.HOST_REPEATED);
        } else if (!seen(Line.AUTHORITY)) {
            authority(from, at, end);
        } else {
            int given = fields.indexOf(FieldName.HOST, 0);
            byte[] first = fields.buffer();
            int firstAt = fields.valueAt(given);
            int usual = https ? 443 : 80;
            int firstEnd = Authority.endWithoutPort(first, firstAt, fields.valueEnd(given), usual);
            int hostEnd = Authority.endWithoutPort(from, at, end, usual);
            boolean same =
                    Authority.valid(from, at, end)
                            && Authority.same(first, firstAt, firstEnd, from, at, hostEnd);
            found(same ? null : Broken.HOST_DIFFERS);
        }
    }

    private void field(byte[] from, int at, int end, boolean again) {
        switch (line) {
            case CONTENT_LENGTH -> {
                Fields fields = writer().head().fields();
                contentLength = fields.number(fields.size() - 1);
                found(contentLength < 0 || again ? Broken.LENGTH : null);
            }
            case TE ->
                    found(
                            FieldRules.is("trailers", from, at, end)
                                    ? null
                                    : Broken.FIELD_OF_CONNECTION);
            case EXPECT -> {
                Fields fields = writer().head().fields();
                if (!fields.valueIs(fields.size() - 1, "100-continue")) {
                    refuse(Refused.EXPECTATION);
                }
            }
            default -> {}
        }
    }

    /// Checks which pseudo-header fields there are (§8.3.1, §8.5, RFC 8441 §4).
    private void checkPseudo(RequestHeadWriter into) {
        if (cut) {
            return; // one that seems to be missing may be among those that were left out
        }
        boolean connect = seen(Line.METHOD) && into.head().method() == Method.CONNECT;
        if (connect && !seen(Line.PROTOCOL)) {
            found((seen & ALL) == OF_CONNECT ? null : Broken.PSEUDO_MISSING);
            if (!hasPort) {
                refuse(Refused.CONNECT_TARGET);
            }
        } else {
            boolean right = (seen & NEEDED) == NEEDED && seen(Line.PROTOCOL) == connect;
            found(right ? null : Broken.PSEUDO_MISSING);
        }
        if (!seen(Line.AUTHORITY) && !seen(Line.HOST)) {
            refuse(Refused.HOST_MISSING);
        }
        if (asterisk && into.head().method() != Method.OPTIONS) {
            refuse(Refused.ASTERISK);
        }
    }

    private boolean seen(Line which) {
        return (seen & which.bit()) != 0;
    }

    private RequestHeadWriter writer() {
        if (writer == null) {
            throw new IllegalStateException("A field line came before the head has begun");
        }
        return writer;
    }

    private void found(@Nullable FrameError what) {
        if (malformed == null) {
            malformed = what;
        }
    }

    private void refuse(ProtocolError what) {
        if (refused == null) {
            refused = what;
        }
    }
}
