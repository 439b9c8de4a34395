package dev.serval.file;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Evaluates conditional requests (RFC 9110 §13) for GET and HEAD on a representation that exists.
/// Stateless.
///
/// One pass over the fields finds the relevant ones ([#present]). Most requests have none and cost
/// no more than that.
final class Preconditions {
    /// The result of the preconditions.
    enum Outcome {
        /// Answer as without preconditions.
        PROCEED,
        /// 304.
        NOT_MODIFIED,
        /// 412.
        FAILED
    }

    private enum Newer {
        NO,
        YES,
        UNKNOWN
    }

    /// A bit of [#present].
    static final int RANGE = 1;

    private static final int IF_RANGE = 2;
    private static final int IF_MATCH = 4;
    private static final int IF_NONE_MATCH = 8;
    private static final int IF_MODIFIED_SINCE = 16;
    private static final int IF_UNMODIFIED_SINCE = 32;
    private static final byte[] BITS = bits();

    private Preconditions() {}

    /// Returns the bits of the relevant fields that are present.
    static int present(Fields fields) {
        int present = 0;
        for (int i = 0, n = fields.size(); i < n; i++) {
            int id = fields.id(i);
            if (id >= 0) {
                present |= BITS[id];
            }
        }
        return present;
    }

    /// Returns whether there is a condition that may name entity tags.
    static boolean mayNameTags(int present) {
        return (present & (IF_MATCH | IF_NONE_MATCH | IF_RANGE)) != 0;
    }

    /// Returns whether a condition names the entity tag of the representation, so that the client has
    /// it or a part of it.
    static boolean names(Fields fields, int present, Representation r) {
        if ((present & IF_NONE_MATCH) != 0) {
            return r.tag().inIfNoneMatch(fields);
        }
        if ((present & IF_MATCH) != 0) {
            return r.tag().inIfMatch(fields);
        }
        int field = fields.indexOf(FieldName.IF_RANGE, 0);
        return field >= 0
                && r.tag()
                        .isExactly(fields.buffer(), fields.valueAt(field), fields.valueEnd(field));
    }

    /// Evaluates steps 1 to 4 of §13.2.2.
    ///
    /// @param present the result of [#present] for the same fields
    /// @param clock the clock for two-digit years
    static Outcome evaluate(Fields fields, int present, Representation r, InstantSource clock) {
        if ((present & IF_MATCH) != 0) {
            if (!r.tag().inIfMatch(fields)) {
                return Outcome.FAILED;
            }
        } else if ((present & IF_UNMODIFIED_SINCE) != 0
                && newerThan(fields, FieldName.IF_UNMODIFIED_SINCE, r, clock) == Newer.YES) {
            return Outcome.FAILED;
        }
        if ((present & IF_NONE_MATCH) != 0) {
            return r.tag().inIfNoneMatch(fields) ? Outcome.NOT_MODIFIED : Outcome.PROCEED;
        }
        if ((present & IF_MODIFIED_SINCE) != 0
                && newerThan(fields, FieldName.IF_MODIFIED_SINCE, r, clock) == Newer.NO) {
            return Outcome.NOT_MODIFIED;
        }
        return Outcome.PROCEED;
    }

    /// Evaluates step 5 of §13.2.2 for GET. Returns the index of the Range field to obey, or -1 for
    /// the whole content.
    static int rangeField(Fields fields, int present, Representation r, InstantSource clock) {
        if ((present & RANGE) == 0) {
            return -1;
        }
        int field = fields.indexOf(FieldName.RANGE, 0);
        boolean one = fields.indexOf(FieldName.RANGE, field + 1) < 0; // §14.2: it is not a list
        boolean obeyed = one && ((present & IF_RANGE) == 0 || ifRange(fields, r, clock));
        return obeyed ? field : -1;
    }

    /// Returns whether If-Range is true: a strong entity tag, or the exact date if it is a strong
    /// validator (§13.1.5, §8.8.2.2).
    private static boolean ifRange(Fields fields, Representation r, InstantSource clock) {
        int field = fields.indexOf(FieldName.IF_RANGE, 0);
        if (fields.indexOf(FieldName.IF_RANGE, field + 1) >= 0) {
            return false;
        }
        if (r.tag().isExactly(fields.buffer(), fields.valueAt(field), fields.valueEnd(field))) {
            return true;
        }
        if (!r.dateIsStrong()) {
            return false;
        }
        if (isOurDate(fields, field, r)) {
            return true;
        }
        @Nullable Long date = read(fields, field, clock);
        return date != null && date == r.lastModified();
    }

    /// Returns whether the representation is newer than the date in the field. The result is
    /// unknown if there is no modification date, no valid date, or more than one field (§13.1.3,
    /// §13.1.4). The field is then ignored.
    private static Newer newerThan(
            Fields fields, FieldName name, Representation r, InstantSource clock) {
        int field = fields.indexOf(name, 0);
        if (!r.hasLastModified() || fields.indexOf(name, field + 1) >= 0) {
            return Newer.UNKNOWN;
        }
        if (isOurDate(fields, field, r)) {
            return Newer.NO;
        }
        @Nullable Long date = read(fields, field, clock);
        return date == null ? Newer.UNKNOWN : r.lastModified() > date ? Newer.YES : Newer.NO;
    }

    /// Returns whether the field has the bytes of our date. Clients usually return it unchanged, so
    /// no date is parsed.
    private static boolean isOurDate(Fields fields, int field, Representation r) {
        byte[] ours = r.lastModifiedBytes();
        return Arrays.equals(
                fields.buffer(),
                fields.valueAt(field),
                fields.valueEnd(field),
                ours,
                0,
                ours.length);
    }

    private static @Nullable Long read(Fields fields, int field, InstantSource clock) {
        return HttpDate.parse(fields.value(field), clock.millis() / 1000);
    }

    private static byte[] bits() {
        byte[] bits = new byte[FieldName.count()];
        bits[FieldName.RANGE.id()] = RANGE;
        bits[FieldName.IF_RANGE.id()] = IF_RANGE;
        bits[FieldName.IF_MATCH.id()] = IF_MATCH;
        bits[FieldName.IF_NONE_MATCH.id()] = IF_NONE_MATCH;
        bits[FieldName.IF_MODIFIED_SINCE.id()] = IF_MODIFIED_SINCE;
        bits[FieldName.IF_UNMODIFIED_SINCE.id()] = IF_UNMODIFIED_SINCE;
        return bits;
    }
}
