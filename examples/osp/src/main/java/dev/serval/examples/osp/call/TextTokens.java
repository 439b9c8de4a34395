package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.OspStatus;
import dev.serval.examples.osp.message.OspTime;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Tokens without a signature: lines of `key=value`, as base64. They protect against mistakes, not
/// against forgery, so they belong into closed networks only.
public final class TextTokens implements Tokens {
    private static final int TEXT_MAX_CHARS = 4_096;
    private static final Set<String> KEYS =
            Set.of("V", "r", "c", "C", "i", "a", "u", "I", "A", "d", "D", "o", "e", "n", "s", "U");

    private final RandomGenerator random;

    /// Creates tokens whose random part comes from `random`.
    public TextTokens(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public String form() {
        return "text";
    }

    @Override
    public String issue(TokenContent content) {
        StringBuilder text = new StringBuilder(200);
        line(text, "V", "1");
        line(text, "r", Integer.toString(random.nextInt(Integer.MAX_VALUE)));
        if (!content.calling().isEmpty()) {
            line(text, "c", content.calling());
        }
        line(text, "C", content.called());
        line(text, "i", content.callId());
        line(text, "a", OspTime.text(content.validAfter()));
        line(text, "u", OspTime.text(content.validUntil()));
        line(text, "I", Long.toUnsignedString(content.transactionId()));
        line(text, "A", Integer.toString(content.seconds()));
        if (!content.network().isEmpty()) {
            line(text, "e", content.network());
        }
        return Base64.getEncoder().encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append('=').append(value).append('\n');
    }

    @Override
    public Checked check(String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        if (bytes.length > TEXT_MAX_CHARS) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        Map<String, String> values = new HashMap<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
            int equals = line.indexOf('=');
            if (equals < 0 || !KEYS.contains(line.substring(0, equals))) {
                return Checked.refused(OspStatus.SECURITY_PROBLEM);
            }
            values.put(line.substring(0, equals), line.substring(equals + 1).strip());
        }
        return content(values);
    }

    private static Checked content(Map<String, String> values) {
        Long after = OspTime.second(values.getOrDefault("a", ""));
        Long until = OspTime.second(values.getOrDefault("u", ""));
        String called = values.get("C");
        if (after == null || until == null || called == null) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        try {
            return new Checked(
                    OspStatus.SUCCESS,
                    new TokenContent(
                            values.getOrDefault("c", ""),
                            called,
                            values.getOrDefault("i", ""),
                            after,
                            until,
                            Long.parseUnsignedLong(values.getOrDefault("I", "0")),
                            Integer.parseInt(values.getOrDefault("A", "0")),
                            values.getOrDefault("e", "")));
        } catch (NumberFormatException e) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
    }
}
