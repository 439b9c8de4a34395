package dev.serval.net;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The buffers of a loop that all its connections use in turn, so that both stay in the processor's
/// cache: one for input and one for answers. Before another connection takes a buffer, and at the
/// end of the turn, its last user saves or sends the bytes in it. Owned by the loop.
final class SharedBuffers {
    private final ByteBuffer direct;
    private final byte[] input;
    private final ByteBuffer answers;
    private final ByteBuffer[] gather = new ByteBuffer[Output.GATHER_MAX];
    private @Nullable Input inputOwner;
    private @Nullable Output answersOwner;

    /// @param readBytes the most bytes of one read
    /// @param turnBytes bytes of answers gathered before they are sent
    SharedBuffers(int readBytes, int turnBytes) {
        this.direct = ByteBuffer.allocateDirect(readBytes);
        this.input = new byte[readBytes];
        this.answers = ByteBuffer.allocateDirect(turnBytes);
    }

    /// Returns the buffer that the system reads into.
    ByteBuffer direct() {
        return direct;
    }

    /// Returns an array for one gathering write.
    ByteBuffer[] gather() {
        return gather;
    }

    /// Returns the buffer for input. Its last user saves its bytes first.
    byte[] takeInput(Input owner) {
        @Nullable Input last = inputOwner;
        if (last != null && !last.equals(owner)) {
            last.save();
        }
        inputOwner = owner;
        return input;
    }

    void leaveInput() {
        inputOwner = null;
    }

    /// Returns the buffer for answers. The answers of its last user are sent first.
    ByteBuffer takeAnswers(Output owner) {
        @Nullable Output last = answersOwner;
        if (!owner.equals(last)) {
            if (last != null) {
                last.flushForOther();
            }
            answersOwner = owner;
            answers.clear();
        }
        return answers;
    }

    void leaveAnswers() {
        answersOwner = null;
    }
}
