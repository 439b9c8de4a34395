package dev.serval.bench.lrwp;

import dev.serval.bench.client.AnswerReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Decides whether the content of an answer is right.
interface AnswerRule {
    /// Returns whether this is the answer to the last request of the stream.
    boolean isRight(PostStream asked, AnswerReader answer);

    /// Returns the rule of an echo: the content comes back.
    static AnswerRule echo() {
        return (asked, answer) ->
                answer.hasContent(asked.last(), asked.contentFrom(), asked.last().length);
    }

    /// Returns the rule of a file.
    static AnswerRule file(byte[] content) {
        return (_, answer) -> answer.hasContent(content, 0, content.length);
    }

    /// Returns the rule of an OSP message: the answer has the number of the request, a success for
    /// each component, and as many destinations.
    static AnswerRule osp(int components, int destinations) {
        byte[] code = ascii("<Code>");
        byte[] success = ascii("<Code>200</Code>");
        byte[] destination = ascii("<Destination>");
        return (asked, answer) -> {
            byte[] number = Arrays.copyOfRange(asked.last(), asked.numberFrom(), asked.numberTo());
            return count(answer, number) > components
                    && count(answer, code) == components
                    && count(answer, success) == components
                    && count(answer, destination) == destinations;
        };
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static int count(AnswerReader answer, byte[] part) {
        byte[] content = answer.content();
        int found = 0;
        for (int at = 0; at <= answer.length() - part.length; at++) {
            if (content[at] == part[0]
                    && Arrays.equals(content, at, at + part.length, part, 0, part.length)) {
                found++;
            }
        }
        return found;
    }
}
