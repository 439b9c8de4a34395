package dev.serval.rule;

import dev.serval.http.Target;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The path of a request as it was sent, but without empty and dot segments. So it has as many segments
/// as the decoded path, of which no segment has a slash. Stateless.
final class SentPath {
    private SentPath() {}

    /// Returns what follows the first segments and their slash.
    ///
    /// @param segments fewer than the path has
    static String after(Target target, int segments) {
        int end = target.queryFrom() < 0 ? target.originTo() : target.queryFrom() - 1;
        String sent =
                new String(
                        target.buffer(),
                        target.originFrom(),
                        end - target.originFrom(),
                        StandardCharsets.ISO_8859_1);
        List<String> kept = kept(sent.substring(1).split("/", -1));
        return String.join("/", kept.subList(segments, kept.size()));
    }

    private static List<String> kept(String[] sent) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < sent.length; i++) {
            String plain = sent[i].replaceAll("%2[Ee]", ".");
            boolean removed = plain.isEmpty() || plain.equals(".") || plain.equals("..");
            if (plain.equals("..")) {
                kept.removeLast();
            }
            if (!removed) {
                kept.add(sent[i]);
            } else if (i == sent.length - 1) {
                kept.add(""); // its slash stays
            }
        }
        return kept;
    }
}
