package dev.serval.boringssl;

import io.netty.internal.tcnative.SSL;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The errors of BoringSSL in words. Stateless.
final class Reasons {
    private static final long UNSIGNED = 0xffff_ffffL;
    private static final Pattern ALERT = Pattern.compile("(?:SSLV3|TLSV1)_ALERT_(.*)");

    private Reasons() {}

    /// Returns the words for an error by its number.
    static String text(int number) {
        return number == 0
                ? "BoringSSL gives no reason"
                : words(SSL.getErrorString(number & UNSIGNED));
    }

    /// Returns the words for an error as BoringSSL prints it, such as `error:10000412:SSL
    /// routines:OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE`.
    static String words(String printed) {
        String name = printed.substring(printed.lastIndexOf(':') + 1);
        Matcher alert = ALERT.matcher(name);
        return alert.matches()
                ? "the peer has sent the alert " + alert.group(1).toLowerCase(Locale.ROOT)
                : name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
