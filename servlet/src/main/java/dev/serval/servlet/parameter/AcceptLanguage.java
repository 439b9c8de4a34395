package dev.serval.servlet.parameter;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads Accept-Language (RFC 9110 §12.5.4) as the locales of ServletRequest. Pure and stateless.
///
/// The order is by quality, and for equal qualities that of the client. Ranges that are not
/// language tags, that have a wrong quality or quality 0 are dropped. So is `*`, which names no
/// locale.
public final class AcceptLanguage {
    /// The ranges that count; later ones are ignored.
    public static final int RANGES_MAX = 32;

    private static final int BAD = -1;
    private static final int FULL_QUALITY = 1000;
    private static final int SUBTAG_MAX = 8;
    private static final int TAG_MAX = 64;

    private AcceptLanguage() {}

    /// Returns the locales that the client accepts; empty if it names none.
    public static List<Locale> locales(Fields fields) {
        int i = fields.indexOf(FieldName.ACCEPT_LANGUAGE, 0);
        return i < 0 ? List.of() : locales(fields.all(FieldName.ACCEPT_LANGUAGE));
    }

    /// Returns the locales that the values of the field name; empty if they name none.
    public static List<Locale> locales(List<String> values) {
        List<Locale> locales = new ArrayList<>(4);
        int[] qualities = new int[RANGES_MAX];
        int ranges = 0;
        for (String value : values) {
            int at = 0;
            while (at <= value.length() && ranges < RANGES_MAX) {
                int comma = value.indexOf(',', at);
                int end = comma < 0 ? value.length() : comma;
                if (add(value, at, end, locales, qualities)) {
                    ranges++;
                }
                at = end + 1;
            }
        }
        return List.copyOf(locales);
    }

    /// Adds one range after those of equal or higher quality.
    ///
    /// @return whether there was a range, valid or not
    private static boolean add(
            String value, int from, int to, List<Locale> locales, int[] qualities) {
        int semicolon = value.indexOf(';', from);
        int tagEnd = semicolon < 0 || semicolon > to ? to : semicolon;
        String tag = value.substring(from, tagEnd).strip();
        if (tag.isEmpty()) {
            return false;
        }
        int quality = tagEnd == to ? FULL_QUALITY : quality(value.substring(tagEnd + 1, to));
        if (quality <= 0 || !wellFormed(tag)) {
            return true;
        }
        Locale locale = Locale.forLanguageTag(tag);
        if (locale.getLanguage().isEmpty()) {
            return true; // such as "x-private"
        }
        int at = locales.size();
        while (at > 0 && qualities[at - 1] < quality) {
            qualities[at] = qualities[at - 1];
            at--;
        }
        qualities[at] = quality;
        locales.add(at, locale);
        return true;
    }

    /// Returns the thousandths of a weight (RFC 9110 §12.4.2), or BAD.
    private static int quality(String weight) {
        String text = weight.strip();
        boolean shaped =
                text.length() >= 3
                        && text.length() <= 7
                        && (text.charAt(0) | 0x20) == 'q'
                        && text.charAt(1) == '='
                        && (text.length() == 3 || text.charAt(3) == '.');
        if (!shaped) {
            return BAD;
        }
        int quality = 0;
        for (int i = 2, unit = FULL_QUALITY; i < text.length(); i++) {
            if (i == 3) {
                continue; // the point
            }
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return BAD;
            }
            quality += digit * unit;
            unit /= 10;
        }
        return quality > FULL_QUALITY ? BAD : quality;
    }

    /// Returns whether the tag is a language-range other than `*` (RFC 4647 §2.1): letters, then
    /// letters and digits, in groups of 1 to 8.
    private static boolean wellFormed(String tag) {
        int group = 0;
        boolean first = true;
        for (int i = 0; i < tag.length(); i++) {
            char c = tag.charAt(i);
            if (c == '-') {
                if (group == 0) {
                    return false;
                }
                first = false;
                group = 0;
            } else {
                boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
                boolean digit = c >= '0' && c <= '9';
                if (!(letter || (digit && !first)) || ++group > SUBTAG_MAX) {
                    return false;
                }
            }
        }
        return group > 0 && tag.length() <= TAG_MAX;
    }
}
