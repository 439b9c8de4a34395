package dev.serval.gateway.cgi;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tells which fields of a head have the same name. Few fields are compared with each other, which
/// needs no memory. Of many fields each name is read once, so that a head costs no more than its
/// length, whatever names a client chooses. Immutable.
final class SameNames {
    /// The most fields that are compared with each other.
    static final int FEW_MAX = 32;

    private static final int NONE = -1;

    private final int[] next; // the index of the next field with the same name
    private final boolean[] repeats; // whether an earlier field has the same name

    /// Names by index.
    interface Names {
        /// Returns how many there are.
        int count();

        /// Returns whether two are the same.
        boolean same(int a, int b);

        /// Returns an object that equals that of the same names only.
        Object key(int i);
    }

    private SameNames(int count) {
        this.next = new int[count];
        this.repeats = new boolean[count];
    }

    /// Returns which names of fields are the same, ignoring case.
    static SameNames of(Fields fields) {
        return of(new FieldNames(fields));
    }

    /// Returns which names are the same.
    static SameNames of(Names names) {
        int count = names.count();
        SameNames made = new SameNames(count);
        @Nullable Map<Object, Integer> latest = count > FEW_MAX ? new HashMap<>() : null;
        for (int i = 0; i < count; i++) {
            made.next[i] = NONE;
            int before = latest == null ? before(names, i) : before(names, i, latest);
            if (before != NONE) {
                made.next[before] = i;
                made.repeats[i] = true;
            }
        }
        return made;
    }

    private static int before(Names names, int i) {
        int before = i - 1;
        while (before >= 0 && !names.same(before, i)) {
            before--;
        }
        return before;
    }

    private static int before(Names names, int i, Map<Object, Integer> latest) {
        @Nullable Integer before = latest.put(names.key(i), i);
        return before == null ? NONE : before;
    }

    /// Returns whether no earlier field has the name of field `i`.
    boolean isFirst(int i) {
        return !repeats[i];
    }

    /// Returns the index of the next field with the name of field `i`; -1 if there is none.
    int next(int i) {
        return next[i];
    }

    private record FieldNames(Fields fields) implements Names {
        @Override
        public int count() {
            return fields.size();
        }

        @Override
        public boolean same(int a, int b) {
            if (fields.id(a) != fields.id(b)) {
                return false;
            }
            return fields.id(a) >= 0 || sameBytes(a, b);
        }

        private boolean sameBytes(int a, int b) {
            byte[] bytes = fields.buffer();
            int length = fields.nameEnd(a) - fields.nameAt(a);
            if (length != fields.nameEnd(b) - fields.nameAt(b)) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                if (ByteRules.lower(bytes[fields.nameAt(a) + i])
                        != ByteRules.lower(bytes[fields.nameAt(b) + i])) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public Object key(int i) {
            @Nullable FieldName known = fields.known(i);
            return known != null ? known : fields.name(i).toLowerCase(Locale.ROOT);
        }
    }
}
