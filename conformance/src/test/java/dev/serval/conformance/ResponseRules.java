package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Checks rules that apply to every response: RFC 9110, RFC 9112 and the promises.
final class ResponseRules {
    private static final Pattern ETAG = Pattern.compile("(W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"");
    private static final Pattern DATE =
            Pattern.compile(
                    "(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4}"
                            + " [0-9]{2}:[0-9]{2}:[0-9]{2} GMT");
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss zzz", Locale.ROOT);
    private static final List<String> AT_MOST_ONCE =
            List.of(
                    "Content-Length",
                    "Content-Range",
                    "Content-Type",
                    "Date",
                    "ETag",
                    "Last-Modified",
                    "Location",
                    "Retry-After",
                    "Server");

    private ResponseRules() {}

    /// Fails if the response to a request of that method breaks a rule.
    static void check(RawResponse r, String method) {
        assertThat(r.version()).as("the server's version, RFC 9112 §2.3").isEqualTo("HTTP/1.1");
        for (String name : AT_MOST_ONCE) {
            assertThat(r.all(name)).as(name + ", RFC 9110 §5.3").hasSizeLessThanOrEqualTo(1);
        }
        if (r.status() < 200) {
            return;
        }
        Instant date = date(r.field("Date"), "Date, RFC 9110 §6.6.1");
        assertThat(date)
                .as("Date is now")
                .isBetween(
                        Instant.now().minus(1, ChronoUnit.MINUTES),
                        Instant.now().plus(1, ChronoUnit.MINUTES));
        String changed = r.field("Last-Modified");
        if (changed != null) {
            assertThat(date(changed, "Last-Modified"))
                    .as("Last-Modified is not later than Date, RFC 9110 §8.8.2.1")
                    .isBeforeOrEqualTo(date);
        }
        matches(r.field("ETag"), ETAG, "ETag, RFC 9110 §8.8.3");
        matches(r.field("Server"), Pattern.compile("[^0-9]*"), "Server without a version");
        requiredFields(r);
        content(r, method);
    }

    private static void requiredFields(RawResponse r) {
        switch (r.status()) {
            case 206 ->
                    assertThat(r.has("Content-Range") ^ multipart(r))
                            .as("206 has Content-Range or parts that have it, RFC 9110 §15.3.7")
                            .isTrue();
            case 301, 302, 303, 307, 308 -> required(r, "Location", "RFC 9110 §15.4");
            case 304 -> {
                assertThat(r.has("Content-Type")).as("RFC 9110 §15.4.5").isFalse();
                assertThat(r.has("Content-Range")).as("RFC 9110 §15.4.5").isFalse();
            }
            case 401 -> required(r, "WWW-Authenticate", "RFC 9110 §15.5.2");
            case 405 -> required(r, "Allow", "RFC 9110 §15.5.6");
            case 416 -> {
                required(r, "Content-Range", "RFC 9110 §15.5.17");
                matches(r.field("Content-Range"), Pattern.compile("bytes \\*/[0-9]+"), "§14.4");
            }
            case 426 -> required(r, "Upgrade", "RFC 9110 §15.5.22");
            case 503 -> required(r, "Retry-After", "the promises");
            default -> {}
        }
    }

    private static void content(RawResponse r, String method) {
        if (r.status() >= 400 && !method.equals("HEAD")) {
            assertThat(r.text())
                    .as("an error page shows no internal details")
                    .doesNotContain("Exception")
                    .doesNotContain("at dev.serval");
            if (r.body().length > 0) {
                required(r, "Content-Type", "RFC 9110 §8.3");
            }
        }
    }

    private static boolean multipart(RawResponse r) {
        String type = r.field("Content-Type");
        return type != null && type.startsWith("multipart/byteranges");
    }

    private static void required(RawResponse r, String name, String rule) {
        assertThat(r.has(name)).as(name + " in\n%s\n" + rule, r).isTrue();
    }

    private static void matches(@Nullable String value, Pattern pattern, String rule) {
        if (value != null) {
            assertThat(value).as(rule).matches(pattern);
        }
    }

    private static Instant date(@Nullable String value, String rule) {
        if (value == null) {
            throw new AssertionError("there is no " + rule);
        }
        assertThat(value).as(rule).matches(DATE);
        return ZonedDateTime.parse(value, FORMAT).toInstant();
    }
}
