package dev.serval.codec;

import java.text.Normalizer;

/// Brings names to a form in which those are equal that some file system takes for one another: without
/// regard to case, to the composition of letters, and to characters that are not shown, such as a zero
/// width space. So a name that must not be served is found in any spelling. Stateless.
public final class NameFolding {
    private static final int ASCII_END = 0x80;

    /// The ranges of Default_Ignorable_Code_Point (Unicode, DerivedCoreProperties.txt), each with its
    /// first and last one.
    private static final int[] IGNORABLE = {
        0xAD, 0xAD, 0x34F, 0x34F, 0x61C, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F,
        0x200B, 0x200F, 0x202A, 0x202E, 0x2060, 0x206F, 0x3164, 0x3164, 0xFE00, 0xFE0F, 0xFEFF,
        0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFF8, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF
    };

    private NameFolding() {}

    /// Returns a name or path in that form. Letters are folded by way of the upper case, because `ſ` is
    /// a small letter whose capital is S.
    public static String folded(String text) {
        String plain = isAscii(text, 0, text.length()) ? text : composed(text);
        char[] folded = plain.toCharArray();
        for (int i = 0; i < folded.length; i++) {
            folded[i] = Character.toLowerCase(Character.toUpperCase(folded[i]));
        }
        return new String(folded);
    }

    /// Returns whether all of `text[from, to)` is ASCII, so that only the case of its letters matters.
    public static boolean isAscii(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) >= ASCII_END) {
                return false;
            }
        }
        return true;
    }

    private static String composed(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.codePoints().filter(c -> !isIgnorable(c)).forEach(shown::appendCodePoint);
        return Normalizer.normalize(shown, Normalizer.Form.NFC);
    }

    private static boolean isIgnorable(int codePoint) {
        for (int i = 0; i < IGNORABLE.length; i += 2) {
            if (codePoint >= IGNORABLE[i] && codePoint <= IGNORABLE[i + 1]) {
                return true;
            }
        }
        return false;
    }
}
