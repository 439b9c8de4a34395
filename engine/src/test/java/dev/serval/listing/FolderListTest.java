package dev.serval.listing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.listing.ListingView.Sort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FolderListTest {
    private static final Pattern LINK = Pattern.compile("<li><a href=\"\\./([^\"]+)\">");

    private static String page(String query) {
        ListingView view = ListingView.ofQuery(query);
        NameWindow names = new NameWindow(view.after());
        FolderList list = new FolderList("a<b", true, view, names);
        List.of("b", "A", "c", "z", "y").forEach(names::add);
        list.addFile("b", 300, 2_000_000_000L);
        list.addFile("A", 200, 3_000_000_000L);
        list.addFile("c", 100, 1_000_000_000L);
        list.addFolder("z");
        list.addFolder("y");
        return new String(list.page(), StandardCharsets.UTF_8);
    }

    private static String names(String page) {
        return String.join(
                " ", LINK.matcher(page).results().map((MatchResult m) -> m.group(1)).toList());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, y/ z/ A b c",
                "sort=name, y/ z/ A b c",
                "sort=-name, z/ y/ c b A",
                "sort=size, y/ z/ c A b",
                "sort=-size, y/ z/ b A c",
                "sort=date, y/ z/ c b A",
                "sort=-date, y/ z/ A b c",
                "sort=other, y/ z/ A b c",
                "sort=-, y/ z/ A b c",
                "x=y&sort=size, y/ z/ c A b",
            })
    void sorts(String query, String names) {
        assertThat(names(page(query))).isEqualTo(names);
    }

    @Test
    void linksToTheOtherOrders() {
        assertThat(page("sort=size"))
                .contains(
                        "<a href=\"?sort=name\">name</a>",
                        "<a href=\"?sort=-size\">size ↑</a>",
                        "<title>a&lt;b</title>");
        assertThat(page("sort=-size")).contains("<a href=\"?sort=size\">size ↓</a>");
    }

    @Test
    void aWindowHasTheNextNamesInOrder() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            all.add((i % 2 == 0 ? "n" : "N") + "%04d".formatted(i));
        }
        Collections.shuffle(all, new Random(1));
        String after = "";
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            NameWindow window = new NameWindow(after);
            all.forEach(window::add);
            assertThat(window.hasMore()).isEqualTo(i < 2);
            assertThat(window.isWhole()).isFalse();
            seen.addAll(window.names());
            after = window.names().getLast();
        }
        all.sort(NameWindow.ORDER);
        assertThat(seen).isEqualTo(all);
    }

    @Test
    void aWindowIsWholeUpToItsLimit() {
        NameWindow window = new NameWindow("");
        for (int i = 0; i < NameWindow.NAMES_MAX; i++) {
            window.add("f" + i);
        }
        assertThat(window.isWhole()).isTrue();
        window.add("f");
        assertThat(window.isWhole()).isFalse();
        assertThat(window.names()).hasSize(NameWindow.NAMES_MAX);
    }

    @Test
    void readingEndsAtItsLimit() {
        NameWindow window = new NameWindow("x");
        for (int i = 1; i < NameWindow.READ_MAX; i++) {
            assertThat(window.add("a")).isTrue();
        }
        assertThat(window.add("a")).isFalse();
    }

    @Test
    void pagesAreEscaped() {
        ListingView view = ListingView.ofQuery("after=%3Ca%3E");
        NameWindow names = new NameWindow(view.after());
        for (int i = 0; i <= NameWindow.NAMES_MAX; i++) {
            names.add("\"" + i);
            names.add("z&\"<" + i);
        }
        String page =
                new String(new FolderList("x", true, view, names).page(), StandardCharsets.UTF_8);
        assertThat(page)
                .contains("<a href=\"./\">First page</a>", "<a href=\"?after=z%26%22%3C")
                .doesNotContain("Sort by");
    }

    @ParameterizedTest
    @CsvSource({"sort=size", "sort=-date&after=a%20b", "after=%C3%A9", "after=%zz", "''"})
    void keysHaveTheView(String query) {
        ListingView view = ListingView.ofQuery(query);
        byte[] path = "/docs/".getBytes(StandardCharsets.UTF_8);
        byte[] key = view.key(path);
        assertThat(ListingView.ofKey(key)).isEqualTo(view);
        assertThat(ListingView.pathLength(key)).isEqualTo(path.length);
        assertThat(view.isLaterPage()).isEqualTo(query.contains("after") && !query.contains("zz"));
        assertThat(view.sort() == Sort.NAME && view.after().isEmpty())
                .isEqualTo(key.length == path.length);
    }
}
