package dev.serval.servlet.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.scan.ClassFiles;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The order of fragments (Servlet 6.1 §8.2.2). A fragment is written NAME:WISHES, where `<B` is
/// before B, `>B` is after B, and `*` stands for others; a minus sign is a jar without a name.
final class FragmentOrderTest {
    @ParameterizedTest(name = "§8.2.2: {0} is {1}")
    @CsvSource(
            textBlock =
                    """
                    # the example of the text
                    MyFragment1:>MyFragment2 MyFragment2: MyFragment3:<*, MyFragment3 MyFragment2 MyFragment1
                    # examples 1 to 3
                    A:>*>C B:<* C:>* D: E: F:<*<B, F B D E C A
                    -:>*<C B:<* C: D:>* E:<* F:, B E F - C D
                    A:>B B: C:<* D:, C B A D
                    # no wishes: as given
                    C: A: -: B:, C A - B
                    # names that do not exist mean nothing
                    A:>X B:<Y, A B
                    # a wish moves a fragment to the group of another
                    A:>B B:>* C:, C B A
                    A: B:<* C:<B, C B A
                    # chains
                    A:>B B:>C C:, C B A
                    A:<B<C B:<C C: D:<A, D A B C
                    """)
    void ordersByWishes(String fragments, String expected) throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        add(app, fragments);

        assertThat(names(app.assemble().jars())).isEqualTo(expected);
        assertThat(app.assemble().excluded()).isEmpty();
        assertThat(app.assemble().ordered())
                .isEqualTo(fragments.contains("<") || fragments.contains(">"));
    }

    @ParameterizedTest(name = "§8.2.2: {0} in the order {1} is {2}, without {3}")
    @CsvSource(
            textBlock =
                    """
                    # the example of the text
                    MyFragment1:>MyFragment2 MyFragment2: MyFragment3:<*, MyFragment3 MyFragment2, MyFragment3 MyFragment2, MyFragment1
                    A: B: C:, C * A, C B A, ''
                    A: B: C:, * A, B C A, ''
                    A: B: C:, C *, C A B, ''
                    A: - B:, B A, B A, -
                    A: - B:, * B, A - B, ''
                    # only the first of equal names counts, and names that do not exist mean nothing
                    A: B: C:, B X B A, B A, C
                    # relative wishes are ignored, even if they contradict each other
                    A:<B B:<A, B A, B A, ''
                    A: B:, '', '', A B
                    """)
    void ordersAbsolutely(String fragments, String order, String expected, String excluded)
            throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        add(app, fragments);
        StringBuilder names = new StringBuilder();
        for (String name : order.split(" ", -1)) {
            if (!name.isEmpty()) {
                names.append(name.equals("*") ? "<others/>" : "<name>" + name + "</name>");
            }
        }
        app.web("<absolute-ordering>" + names + "</absolute-ordering>");

        assertThat(names(app.assemble().jars())).isEqualTo(expected);
        assertThat(names(app.assemble().excluded())).isEqualTo(excluded);
        assertThat(app.assemble().ordered()).isTrue();
    }

    @Test
    void namesTheCircle() throws IOException {
        FakeApp app = new FakeApp();
        add(app, "A: B:>D C:>B D:>C E:>D");

        assertThat(app.refusal())
                .contains("in a circle: ")
                .containsAnyOf("B → C → D → B", "C → D → B → C", "D → B → C → D")
                .contains("<absolute-ordering>")
                .doesNotContain("A →")
                .doesNotContain("→ E");
    }

    @ParameterizedTest(name = "§8.2.2: {0} is refused: {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    A:>A                 | in a circle: A → A
                    A:<B B:<A            | in a circle
                    A:<*>B B:>*          | "A" is before all others, but has to follow "B"
                    A:<*>B B:>C C:>*     | is before all others, but has to follow
                    A:<*>*               | "A" is both before and after all others
                    """)
    void refusesContradiction(String fragments, String message) throws IOException {
        FakeApp app = new FakeApp();
        add(app, fragments);

        assertThat(app.refusal()).contains(message);
    }

    @Test
    void refusesEqualNamesUnlessOrderIsAbsolute() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.jar("one").fragment("<name>cart</name>");
        app.jar("two").fragment("<name>cart</name>");

        assertThat(app.refusal())
                .startsWith("WEB-INF/lib/two.jar!/META-INF/web-fragment.xml: ")
                .contains("The fragment name \"cart\" is also that of WEB-INF/lib/one.jar.");

        app.web("<absolute-ordering><name>cart</name></absolute-ordering>");
        assertThat(app.assemble().jars()).hasSize(2);
    }

    @Test
    void excludesJarsWithoutFragmentToo() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        app.jar("plain");
        app.jar("cart").fragment("<name>cart</name>");
        app.web("<absolute-ordering><name>cart</name></absolute-ordering>");

        assertThat(app.assemble().jars())
                .extracting(ClassFiles::name)
                .containsExactly("WEB-INF/lib/cart.jar");
        assertThat(app.assemble().excluded())
                .extracting(ClassFiles::name)
                .containsExactly("WEB-INF/lib/plain.jar");
    }

    @Test
    void completeWebXmlIgnoresWishesButExcludes() throws DescriptorException, IOException {
        FakeApp app = new FakeApp();
        add(app, "A:>B B:");
        app.web("metadata-complete=\"true\"", "");
        assertThat(names(app.assemble().jars())).isEqualTo("A B");

        app.web(
                "metadata-complete=\"true\"",
                "<absolute-ordering><name>B</name></absolute-ordering>");
        assertThat(names(app.assemble().jars())).isEqualTo("B");
        assertThat(names(app.assemble().excluded())).isEqualTo("A");
    }

    private static void add(FakeApp app, String fragments) {
        for (String fragment : fragments.split(" ", -1)) {
            int colon = fragment.indexOf(':');
            String name = colon < 0 ? fragment : fragment.substring(0, colon);
            String wishes = colon < 0 ? "" : fragment.substring(colon + 1);
            StringBuilder before = new StringBuilder();
            StringBuilder after = new StringBuilder();
            for (int i = 0; i < wishes.length(); i++) {
                int end = i + 1;
                while (end < wishes.length() && "<>".indexOf(wishes.charAt(end)) < 0) {
                    end++;
                }
                String other = wishes.substring(i + 1, end);
                String element = other.equals("*") ? "<others/>" : "<name>" + other + "</name>";
                // The schema wants names first.
                StringBuilder target = wishes.charAt(i) == '<' ? before : after;
                target.insert(other.equals("*") ? target.length() : 0, element);
                i = end - 1;
            }
            String ordering =
                    (after.isEmpty() ? "" : "<after>" + after + "</after>")
                            + (before.isEmpty() ? "" : "<before>" + before + "</before>");
            String nameElement = name.equals("-") ? "" : "<name>" + name + "</name>";
            app.jar(name.toLowerCase(Locale.ROOT))
                    .fragment(nameElement + "<ordering>" + ordering + "</ordering>");
        }
    }

    private static String names(List<ClassFiles> jars) {
        return String.join(
                " ",
                jars.stream()
                        .map(ClassFiles::name)
                        .map(name -> name.substring("WEB-INF/lib/".length(), name.length() - 4))
                        .map(name -> name.replace("myfragment", "MyFragment"))
                        .map(name -> name.length() == 1 ? name.toUpperCase(Locale.ROOT) : name)
                        .toList());
    }
}
