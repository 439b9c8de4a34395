package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class UserSearchTest {
    private final List<Integer> tried = new ArrayList<>();

    private UserSearch search(int first, int most, int halvings, int limit) throws IOException {
        return UserSearch.run(
                first,
                most,
                halvings,
                users -> {
                    tried.add(users);
                    return users <= limit;
                });
    }

    @Test
    void doublesAndThenHalves() throws IOException {
        UserSearch found = search(100, 10_000, 3, 560);
        assertThat(tried).containsExactly(100, 200, 400, 800, 600, 500, 550);
        assertThat(found).isEqualTo(new UserSearch(550, 600));
        assertThat(found.text()).isEqualTo("550–600");
    }

    @Test
    void endsAtTheMostUsers() throws IOException {
        UserSearch found = search(100, 300, 3, 1_000);
        assertThat(tried).containsExactly(100, 200, 300);
        assertThat(found).isEqualTo(new UserSearch(300, 0));
        assertThat(found.text()).isEqualTo("≥ 300");
    }

    @Test
    void searchesBelowTheFirst() throws IOException {
        assertThat(search(100, 300, 2, 30)).isEqualTo(new UserSearch(25, 50));
        assertThat(tried).containsExactly(100, 50, 25);
    }

    @Test
    void endsAtTheExactNumber() throws IOException {
        assertThat(search(2, 300, 20, 5)).isEqualTo(new UserSearch(5, 6));
        assertThat(tried).containsExactly(2, 4, 8, 6, 5);
    }

    @Test
    void firstIsNotBeyondTheMost() throws IOException {
        assertThat(search(100, 10, 0, 1_000)).isEqualTo(new UserSearch(10, 0));
    }
}
