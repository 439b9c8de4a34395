package dev.serval.gateway.proxy;

import dev.serval.gateway.peer.Upstream;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// The cookie that binds the requests of a session to an upstream: finds it in requests, and makes
/// the field that sets it. Immutable; any thread.
final class StickyCookie {
    private static final String HMAC = "HmacSHA256";
    private static final int ID_BYTES = 15; // 20 characters

    /// The key of cookies without a secret, for the life of this process, so that a reload of
    /// settings changes no cookie.
    private static final byte[] PROCESS_KEY = randomKey();

    private final byte[] name;
    private final List<byte @Nullable []> ids; // by upstream
    private final boolean isOwn;

    /// Creates the cookie of a mount.
    ///
    /// @param upstreams those of the mount's pool, in order
    StickyCookie(Stickiness stickiness, List<Upstream> upstreams) {
        this.name = stickiness.cookie().getBytes(StandardCharsets.ISO_8859_1);
        this.ids = new ArrayList<>();
        this.isOwn = stickiness instanceof Stickiness.OwnCookie;
        if (stickiness instanceof Stickiness.OwnCookie own) {
            byte[] key = key(own.secret());
            upstreams.forEach(one -> ids.add(hash(key, one.name())));
        } else if (stickiness instanceof Stickiness.RouteOfApplication application) {
            for (@Nullable String route : application.routes()) {
                ids.add(route == null ? null : route.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    /// Returns whether the proxy sets it. If not, the application does.
    boolean isOwn() {
        return isOwn;
    }

    /// Returns the number of the upstream that a request names; -1 if it names none.
    int find(Fields request) {
        for (int i = request.indexOf(FieldName.COOKIE, 0);
                i >= 0;
                i = request.indexOf(FieldName.COOKIE, i + 1)) {
            int found = find(request.buffer(), request.valueAt(i), request.valueEnd(i));
            if (found >= 0) {
                return found;
            }
        }
        return -1;
    }

    /// Returns the value of Set-Cookie.
    ///
    /// @param path of the mount, percent-encoded
    String setCookie(int upstream, String path, boolean secure) {
        byte @Nullable [] id = ids.get(upstream);
        return new String(name, StandardCharsets.ISO_8859_1)
                + "="
                + (id == null ? "" : new String(id, StandardCharsets.US_ASCII))
                + "; Path="
                + path
                + "; HttpOnly; SameSite=Lax"
                + (secure ? "; Secure" : "");
    }

    private int find(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            int end = next(bytes, at, to);
            while (at < end && bytes[at] == ' ') {
                at++;
            }
            int valueAt = at + name.length + 1;
            boolean named =
                    valueAt <= end
                            && bytes[valueAt - 1] == '='
                            && Arrays.equals(bytes, at, valueAt - 1, name, 0, name.length);
            int found = named ? upstream(bytes, valueAt, end) : -1;
            if (found >= 0) {
                return found;
            }
            at = end + 1;
        }
        return -1;
    }

    private static int next(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != ';') {
            at++;
        }
        return at;
    }

    private int upstream(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && (bytes[end - 1] == ' ' || bytes[end - 1] == '"')) {
            end--;
        }
        int at = from;
        if (!isOwn) { // what follows the last dot
            at = end;
            while (at > from && bytes[at - 1] != '.') {
                at--;
            }
            if (at == from) {
                return -1;
            }
        }
        for (int i = 0; i < ids.size(); i++) {
            byte @Nullable [] id = ids.get(i);
            if (id != null && Arrays.equals(bytes, at, end, id, 0, id.length)) {
                return i;
            }
        }
        return -1;
    }

    private static byte[] key(@Nullable String secret) {
        return secret == null ? PROCESS_KEY : secret.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] hash(byte[] key, String upstream) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            byte[] all = mac.doFinal(upstream.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().encode(Arrays.copyOf(all, ID_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + HMAC, e);
        }
    }

    private static byte[] randomKey() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        return key;
    }
}
