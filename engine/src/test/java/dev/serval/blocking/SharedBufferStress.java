package dev.serval.blocking;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// A race, by jcstress, between a thread that writes late and the loop, which takes the last part of
/// the response.
///
/// The first number counts bytes that the thread has not written. The second one is how many bytes
/// the loop took.
@JCStressTest
@Outcome(id = "0, 4", expect = Expect.ACCEPTABLE, desc = "a full buffer")
@Outcome(id = "0, 5", expect = Expect.ACCEPTABLE, desc = "a full buffer and the byte after it")
@Outcome(id = "0, [01]", expect = Expect.ACCEPTABLE, desc = "the full buffer was posted too late")
@Outcome(expect = Expect.FORBIDDEN, desc = "bytes of another response, or bytes taken twice")
@State
public class SharedBufferStress {
    private static final byte OWN = 'a';
    private static final byte OTHER = 'z';

    private final SharedBuffer buffer = new SharedBuffer();
    private final byte[] used = {OTHER, OTHER, OTHER, OTHER};
    private final PostedWrites posted = new PostedWrites();
    private @Nullable ByteBuffer polled;
    private ByteBuffer last = ByteBuffer.allocate(0);

    /// Fills the buffer.
    public SharedBufferStress() {
        buffer.begin(ByteBuffer.wrap(new byte[4]));
        buffer.add(new byte[] {OWN, OWN, OWN, OWN}, 0, 4);
    }

    /// Runs on a thread that the application started, whose buffer is full.
    @Actor
    public void writer() {
        buffer.post(posted, used);
        buffer.add(OWN);
    }

    /// Runs on the loop, at the end of the response.
    @Actor
    public void loop() {
        polled = posted.poll();
        last = buffer.take(SharedBuffer.AS_FILLED);
    }

    /// Reads the result.
    @Arbiter
    public void end(II_Result result) {
        count(polled, result);
        count(last, result);
    }

    private static void count(@Nullable ByteBuffer taken, II_Result result) {
        for (int i = 0; taken != null && i < taken.limit(); i++) {
            result.r1 += taken.get(i) == OWN ? 0 : 1;
            result.r2++;
        }
    }
}
