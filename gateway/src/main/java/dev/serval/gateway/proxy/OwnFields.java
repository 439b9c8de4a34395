package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Target;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Writes the fields of requests that a mount sets, and knows which ones of the client and of the
/// proxy they replace. Immutable; any thread.
final class OwnFields {
    private static final int CLIENT_MAX_BYTES = 45; // an IPv6 address with an IPv4 address in it
    private static final int SCHEME_MAX_BYTES = 5;
    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] NONE = {};
    private static final FieldSetting.Part USER = FieldSetting.Variable.USER;

    private final List<Own> all;

    /// @param lowerCase the name
    /// @param head the name with its colon
    /// @param ofUser whether it is sent only for a user who has logged in
    private record Own(
            String lowerCase, byte[] head, List<FieldSetting.Part> parts, boolean ofUser) {}

    private OwnFields(List<Own> all) {
        this.all = all;
    }

    /// Returns the fields of a mount; null if it has none.
    static @Nullable OwnFields of(List<FieldSetting> settings) {
        return settings.isEmpty()
                ? null
                : new OwnFields(settings.stream().map(OwnFields::own).toList());
    }

    private static Own own(FieldSetting setting) {
        return new Own(
                ForwardHead.comparable(setting.name()),
                (setting.name() + ": ").getBytes(StandardCharsets.US_ASCII),
                setting.parts(),
                setting.parts().contains(USER));
    }

    /// Returns whether field `i` is set or removed by the mount. Signs in its name count as `-`,
    /// because CGI programs do not distinguish them.
    boolean replaces(Fields fields, int i) {
        for (Own one : all) {
            if (ForwardHead.isNamed(fields, i, one.lowerCase)) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether the mount sets or removes a field that the proxy writes otherwise.
    boolean replaces(FieldName name) {
        String lowerCase = name.text().toLowerCase(Locale.ROOT);
        for (Own one : all) {
            if (one.lowerCase.equals(lowerCase)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the largest number of bytes that [#write] writes.
    int bound(EngineExchange x, byte[] host) {
        int bytes = 0;
        for (Own one : all) {
            bytes += one.head.length + CRLF.length;
            for (FieldSetting.Part part : one.parts) {
                bytes += bound(part, x, host);
            }
        }
        return bytes;
    }

    private static int bound(FieldSetting.Part part, EngineExchange x, byte[] host) {
        if (part instanceof FieldSetting.Text fixed) {
            return fixed.text().length();
        }
        return switch ((FieldSetting.Variable) part) {
            case CLIENT -> CLIENT_MAX_BYTES;
            case HOST -> host.length;
            case SCHEME -> SCHEME_MAX_BYTES;
            case URI -> 1 + sent(x).originTo() - sent(x).originFrom();
            case USER -> user(x).length;
        };
    }

    /// Writes the fields that are set.
    ///
    /// @param host that the client named
    void write(ByteBuffer into, EngineExchange x, byte[] host) {
        for (Own one : all) {
            if (one.parts.isEmpty() || (one.ofUser && user(x).length == 0)) {
                continue;
            }
            into.put(one.head);
            for (FieldSetting.Part part : one.parts) {
                write(into, part, x, host);
            }
            into.put(CRLF);
        }
    }

    private static void write(
            ByteBuffer into, FieldSetting.Part part, EngineExchange x, byte[] host) {
        if (part instanceof FieldSetting.Text fixed) {
            ForwardHead.put(into, fixed.text());
            return;
        }
        switch ((FieldSetting.Variable) part) {
            case CLIENT -> ForwardHead.address(into, x.connection().peer(), false);
            case HOST -> into.put(host);
            case SCHEME -> ForwardHead.put(into, x.connection().secure() ? "https" : "http");
            case URI -> uri(into, sent(x));
            case USER -> into.put(user(x));
        }
    }

    /// Returns the name of the user who has logged in at the mount; empty if there is none, or if it
    /// has control characters, which would begin other fields.
    private static byte[] user(EngineExchange x) {
        @Nullable String name = x.request().user();
        return name == null || name.chars().anyMatch(Character::isISOControl)
                ? NONE
                : name.getBytes(StandardCharsets.UTF_8);
    }

    /// Returns the target that the client sent, of which a rule of the mount may have made another one.
    private static Target sent(EngineExchange x) {
        return x.request().received().target();
    }

    private static void uri(ByteBuffer into, Target target) {
        int from = target.originFrom();
        int to = target.originTo();
        if (from == to || target.buffer()[from] == '?') {
            into.put((byte) '/'); // an absolute form without a path
        }
        into.put(target.buffer(), from, to - from);
    }
}
