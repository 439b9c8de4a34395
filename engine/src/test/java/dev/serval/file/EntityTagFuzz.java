package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any list of entity tags: there is no exception, and strong comparison never finds what weak
/// comparison does not. Lists that follow the grammar are compared as RFC 9110 §8.8.3.2 says.
final class EntityTagFuzz {
    private static final EntityTag STRONG = EntityTag.strong(new byte[] {1});
    private static final EntityTag WEAK = EntityTag.weak(new byte[] {1});

    @FuzzTest(maxDuration = "20s")
    void anyList(byte[] bytes) {
        for (EntityTag own : new EntityTag[] {STRONG, WEAK}) {
            boolean strongly = own.listed(bytes, 0, bytes.length, true);
            boolean weakly = own.listed(bytes, 0, bytes.length, false);
            assertThat(strongly && !weakly).isFalse();
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            if (weakly) {
                assertThat(text).contains(opaque(own));
            }
            assertThat(own.isExactly(bytes, 0, bytes.length))
                    .isEqualTo(own == STRONG && text.equals(own.toString()));
        }
    }

    @Test
    void scrambledListsAreReadOrIgnored() {
        Scrambled.each(
                20_000,
                this::anyList,
                STRONG.toString(),
                WEAK.toString(),
                "W/\"other\", ",
                "\"a,b\" , ,",
                "*",
                "\"",
                "W/");
    }

    @Test
    void wellFormedListsAreComparedExactly() {
        SplittableRandom random = new SplittableRandom(6);
        String[] others = {"\"\"", "\"a\"", "W/\"b\"", "\"a,b\"", "W/\"\"", "\"\u00e9\""};
        String[] separators = {",", ", ", " ,", ",,", " , ,\t"};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder list = new StringBuilder(random.nextBoolean() ? "" : ", ");
            boolean strong = false;
            boolean weak = false;
            for (int tags = random.nextInt(6); tags > 0; tags--) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        list.append(STRONG);
                        strong = true;
                    }
                    case 1 -> {
                        list.append("W/").append(STRONG);
                        weak = true;
                    }
                    default -> list.append(others[random.nextInt(others.length)]);
                }
                list.append(separators[random.nextInt(separators.length)]);
            }
            byte[] bytes = list.toString().getBytes(StandardCharsets.ISO_8859_1);
            assertThat(STRONG.listed(bytes, 0, bytes.length, true))
                    .as("%s", list)
                    .isEqualTo(strong);
            assertThat(STRONG.listed(bytes, 0, bytes.length, false))
                    .as("%s", list)
                    .isEqualTo(strong || weak);
            assertThat(WEAK.listed(bytes, 0, bytes.length, true)).isFalse();
            assertThat(WEAK.listed(bytes, 0, bytes.length, false))
                    .as("%s", list)
                    .isEqualTo(strong || weak);
        }
    }

    private static String opaque(EntityTag tag) {
        String text = tag.toString();
        return text.substring(text.indexOf('"'));
    }
}
