package dev.serval.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.Status;
import org.junit.jupiter.api.Test;

final class KeptPagesTest {
    private final KeptPages pages = new KeptPages();

    @Test
    void makesTheSamePageOnce() {
        byte[] page = pages.page(Status.NOT_FOUND, "Nothing here.");
        assertThat(page).isEqualTo(ErrorPages.SHORT.page(Status.NOT_FOUND, "Nothing here."));
        assertThat(pages.page(Status.NOT_FOUND, "Nothing here.")).isSameAs(page);
        pages.page(Status.FORBIDDEN, "Nothing here.");
        assertThat(pages.page(Status.NOT_FOUND, "Nothing here.")).isSameAs(page);
    }

    @Test
    void makesAnotherPageForAnotherTextOrReason() {
        for (String what : new String[] {"One.", "Two.", "", "One."}) {
            assertThat(pages.page(Status.NOT_FOUND, what))
                    .isEqualTo(ErrorPages.SHORT.page(Status.NOT_FOUND, what));
        }
        Status other = new Status(404, "Elsewhere");
        assertThat(pages.page(other, "One.")).isEqualTo(ErrorPages.SHORT.page(other, "One."));
        Status last = new Status(599, "Last");
        assertThat(pages.page(last, "")).isEqualTo(ErrorPages.SHORT.page(last, ""));
    }
}
