package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that documents name members that exist, such as `Worker.execute` or a test method. A document
/// that names a member of a type of the JDK or of Jakarta EE is right, because this tree has no such
/// type.
final class DocumentNamesTest {
    private static final SourceTree TREE = SourceTree.read();
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

    /// A type and its member. Three dots stand for the end of a long name.
    private static final Pattern MEMBER = Pattern.compile("\\b([A-Z]\\w+)[.#](?=(\\w+)(…?))");

    private static final Map<String, List<String>> CODE_OF_TYPES = codeOfTypes();

    /// A member that a document names.
    ///
    /// @param whole whether the document has its whole name
    private record Member(String type, String name, boolean whole) {
        private boolean exists() {
            Pattern word = Pattern.compile("\\b" + name + (whole ? "\\b" : ""));
            return CODE_OF_TYPES.getOrDefault(type, List.of()).stream()
                    .anyMatch(code -> word.matcher(code).find());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "docs/manual", "docs/internals", "docs/decisions"})
    void documentsNameOnlyMembersThatExist(String folder) {
        List<String> unknown = new ArrayList<>();
        int known = 0;
        for (String document : TREE.documents(folder)) {
            for (Member member : members(TREE.document(document))) {
                if (member.exists()) {
                    known++;
                } else {
                    unknown.add(document + ": " + member.type() + "." + member.name());
                }
            }
        }
        assertThat(unknown).as("no such member").isEmpty();
        assertThat(known).as("members that were found").isPositive();
    }

    /// Returns the members of this tree's types that a document names.
    private static List<Member> members(String document) {
        return CODE.matcher(document)
                .results()
                .flatMap(code -> MEMBER.matcher(code.group(1)).results())
                .filter(found -> CODE_OF_TYPES.containsKey(found.group(1)))
                .map(found -> new Member(found.group(1), found.group(2), found.group(3).isEmpty()))
                .toList();
    }

    /// Returns the code of the files that declare each type. Several types may have one name.
    private static Map<String, List<String>> codeOfTypes() {
        Map<String, List<String>> all = new HashMap<>();
        for (JavaSource source : TREE.java()) {
            String code = source.code();
            for (String type : source.types()) {
                all.computeIfAbsent(type, _ -> new ArrayList<>()).add(code);
            }
        }
        return all;
    }
}
