package dev.serval.examples.shop.cover;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/// Draws a cover as SVG. The same book with the same design has the same cover, to the byte.
public final class Cover {
    private static final List<Motif> MOTIFS = List.of(Motif.values());
    private static final int LETTERS = 13;
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int LINES = 5;
    private static final int LINE_HEIGHT = 27;

    /// Finer shapes for the large picture.
    private static final int LARGE_DETAIL = 4;

    private Cover() {}

    /// Returns a cover in UTF-8.
    ///
    /// @param design the number of its design
    /// @param large whether it has finer shapes and is shown larger
    public static byte[] draw(int book, int design, String title, String author, boolean large) {
        Random random = new Random(31L * book + 1_000_003L * design);
        Palette palette = Palette.ALL.get(random.nextInt(Palette.ALL.size()));
        Motif motif = MOTIFS.get(random.nextInt(MOTIFS.size()));
        StringBuilder svg = new StringBuilder(4096);
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 240 360\" width=\"");
        svg.append(large ? 480 : 240).append("\" height=\"").append(large ? 720 : 360);
        svg.append("\"><rect width=\"240\" height=\"360\" fill=\"").append(palette.ground());
        svg.append("\"/>");
        motif.draw(random, palette, large ? LARGE_DETAIL : 1, svg);
        svg.append("<rect width=\"12\" height=\"360\" fill=\"#000\" opacity=\".22\"/>");
        letters(svg, palette, title, author);
        svg.append("</svg>");
        return svg.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void letters(StringBuilder svg, Palette palette, String title, String author) {
        svg.append("<g fill=\"").append(palette.ink()).append("\" text-anchor=\"middle\"");
        svg.append(" font-family=\"Georgia, 'Times New Roman', serif\">");
        List<String> lines = lines(title);
        int y = 272 - (lines.size() - 1) * LINE_HEIGHT / 2;
        for (String line : lines) {
            svg.append("<text x=\"126\" y=\"").append(y).append("\" font-size=\"25\"");
            squeeze(svg, line, LETTERS + 2, 204);
            svg.append('>').append(text(line)).append("</text>");
            y += LINE_HEIGHT;
        }
        svg.append("<text x=\"126\" y=\"344\" font-size=\"13\" letter-spacing=\"1\"");
        squeeze(svg, author, 24, 204);
        svg.append('>').append(text(author)).append("</text></g>");
    }

    /// Keeps a long line inside of the cover.
    private static void squeeze(StringBuilder svg, String line, int letters, int width) {
        if (line.length() > letters) {
            svg.append(" lengthAdjust=\"spacingAndGlyphs\" textLength=\"").append(width);
            svg.append('"');
        }
    }

    /// Returns the title in lines. What does not fit is left out.
    private static List<String> lines(String title) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : BLANKS.split(title.strip(), -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > LETTERS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines.size() > LINES ? lines.subList(0, LINES) : lines;
    }

    /// Returns a text as XML has it. XML 1.0 §2.2 has no form for some characters.
    private static String text(String plain) {
        StringBuilder text = new StringBuilder(plain.length() + 16);
        plain.codePoints()
                .forEach(letter -> {
                    switch (letter) {
                        case '&' -> text.append("&amp;");
                        case '<' -> text.append("&lt;");
                        case '>' -> text.append("&gt;");
                        default -> text.appendCodePoint(isInXml(letter) ? letter : '\ufffd');
                    }
                });
        return text.toString();
    }

    private static boolean isInXml(int letter) {
        return letter == '\t'
                || (letter >= ' ' && letter <= '\ud7ff')
                || (letter >= '\ue000' && letter <= '\ufffd')
                || letter >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
    }
}
