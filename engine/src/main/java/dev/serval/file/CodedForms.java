package dev.serval.file;

import dev.serval.coding.AcceptEncoding;
import dev.serval.coding.ContentCoding;
import dev.serval.http.Fields;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// The compressed forms of one file, and the choice among them and the file itself (RFC 9110
/// §12.5.3). Immutable. All loops share it.
final class CodedForms {
    /// No form, and no file beside the file.
    static final CodedForms NONE = new CodedForms(new Form[0], new Fingerprint[0]);

    /// The file in one coding.
    ///
    /// @param coding how the content is compressed
    /// @param representation the content, with an entity tag of its own
    record Form(ContentCoding coding, Representation representation) {}

    private final Form[] forms; // by ascending length
    private final @Nullable Fingerprint[] seen; // beside the file, by coding

    private CodedForms(Form[] forms, @Nullable Fingerprint[] seen) {
        this.forms = forms;
        this.seen = seen;
    }

    /// Returns the forms of a file.
    ///
    /// @param forms in any order; must not change any more
    /// @param seen the compressed files beside the file, by coding, whether they are used or not
    static CodedForms of(Form[] forms, @Nullable Fingerprint[] seen) {
        Arrays.sort(
                forms, Comparator.comparingLong(form -> form.representation().content().length()));
        return new CodedForms(forms, seen);
    }

    /// Returns these forms and another one.
    CodedForms with(Form another) {
        Form[] more = Arrays.copyOf(forms, forms.length + 1);
        more[forms.length] = another;
        return of(more, seen);
    }

    /// Returns whether there is no form.
    boolean isEmpty() {
        return forms.length == 0;
    }

    /// Returns the number of forms.
    int count() {
        return forms.length;
    }

    /// Returns form `i`, from the shortest on.
    Form at(int i) {
        return forms[i];
    }

    /// Returns whether there is a form in this coding.
    boolean has(ContentCoding coding) {
        for (Form form : forms) {
            if (form.coding() == coding) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether the compressed files beside the file are as they were.
    boolean areStill(@Nullable Fingerprint[] now) {
        return Arrays.equals(seen, now);
    }

    /// Selects the representation for a request: that with the highest weight, and the shortest of
    /// several. If nothing is acceptable, it is the file itself, which is of more use than a 406
    /// (§12.4.1 allows both).
    ///
    /// A request whose condition names the entity tag of another acceptable one gets that one: the
    /// client has it already, or a part of it.
    ///
    /// @param plain the file itself
    Representation select(Fields request, Representation plain) {
        long accepted = AcceptEncoding.of(request);
        Representation best = best(accepted, plain);
        int present = Preconditions.present(request);
        if (!Preconditions.mayNameTags(present) || Preconditions.names(request, present, best)) {
            return best;
        }
        for (Form form : forms) {
            if (AcceptEncoding.weight(accepted, form.coding()) > 0
                    && Preconditions.names(request, present, form.representation())) {
                return form.representation();
            }
        }
        boolean known =
                AcceptEncoding.identityWeight(accepted) > 0
                        && Preconditions.names(request, present, plain);
        return known ? plain : best;
    }

    private Representation best(long accepted, Representation plain) {
        Representation best = plain;
        int most = AcceptEncoding.identityWeight(accepted);
        for (Form form : forms) {
            int weight = AcceptEncoding.weight(accepted, form.coding());
            // Of two with the same weight the shorter is first, and the file itself is the longest.
            if (weight > 0 && (weight > most || (weight == most && plain.equals(best)))) {
                best = form.representation();
                most = weight;
            }
        }
        return best;
    }
}
