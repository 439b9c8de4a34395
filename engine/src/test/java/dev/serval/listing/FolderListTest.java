package dev.serval.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class FolderListTest {
    @Test
    void hasALimit() {
        FolderList list = new FolderList("x", true);
        for (int i = 0; i < FolderList.NAMES_MAX; i++) {
            assertThat(list.hasRoom()).isTrue();
            list.addFolder("f" + i);
        }
        assertThat(new String(list.page(), StandardCharsets.UTF_8)).doesNotContain("more files");
        assertThat(list.hasRoom()).isFalse();
        assertThat(new String(list.page(), StandardCharsets.UTF_8)).contains("more files");
    }
}
