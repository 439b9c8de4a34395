package dev.serval.examples.osp.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes as a message: there is no exception, and the answer is well-formed.
final class MessageReaderFuzz {
    private static final MessageReader READER = new MessageReader(MessageLimits.STANDARD);

    @FuzzTest(maxDuration = "20s")
    void anyBytes(byte[] bytes) {
        OspMessage message = READER.read(bytes);
        byte[] answer =
                AnswerWriter.message(
                        message.id(),
                        1,
                        message.components().stream()
                                .map(each -> AnswerWriter.status(each, "now", message.status()))
                                .toList());
        assertThat(READER.tree(answer)).isNotNull();
    }
}
