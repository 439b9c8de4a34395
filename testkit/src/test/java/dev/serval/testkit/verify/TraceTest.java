package dev.serval.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TraceTest {
    @Test
    void keepsTheMessageAndTheFramesOfOurCode() {
        String trace =
                """
                org.opentest4j.AssertionFailedError:
                expected: 1
                 but was: 2
                	at org.assertj.Foo.bar(Foo.java:1)
                	at dev.serval.engine/dev.serval.conn.FooTest.one(FooTest.java:7)
                	at app//dev.serval.conn.FooTest.two(FooTest.java:8)
                	at java.base/java.lang.Thread.run(Thread.java:9)
                """;
        assertThat(Trace.shortened(trace))
                .containsExactly(
                        "org.opentest4j.AssertionFailedError:",
                        "expected: 1",
                        "but was: 2",
                        "at dev.serval.engine/dev.serval.conn.FooTest.one(FooTest.java:7)",
                        "at app//dev.serval.conn.FooTest.two(FooTest.java:8)");
    }

    @Test
    void keepsMessageAndFramesOfEachCause() {
        String trace =
                """
                a.A: outer
                	at dev.serval.Outer.a(Outer.java:1)
                Caused by: a.B: inner
                	at java.base/java.util.List.of(List.java:1)
                	at dev.serval.Inner.b(Inner.java:2)
                	... 40 more
                Caused by: a.C: innermost
                	... 41 more
                """;
        assertThat(Trace.shortened(trace))
                .containsExactly(
                        "a.A: outer",
                        "at dev.serval.Outer.a(Outer.java:1)",
                        "Caused by: a.B: inner",
                        "at dev.serval.Inner.b(Inner.java:2)",
                        "Caused by: a.C: innermost");
    }

    @Test
    void keepsOtherFramesIfNoneIsOurs() {
        assertThat(Trace.shortened("a.A: x\n\tat b.C.d(C.java:1)"))
                .containsExactly("a.A: x", "at b.C.d(C.java:1)");
    }

    @Test
    void hasAtMostFortyLinesAndMarksOmissions() {
        String message = "line\n".repeat(100);
        String frames = "\tat dev.serval.A.b(A.java:1)\n".repeat(100);
        String trace = message + frames + ("Caused by: " + message + frames).repeat(5);
        assertThat(Trace.shortened(trace)).hasSize(40).contains("…");
        assertThat(Trace.shortened("x".repeat(5000)).getFirst()).hasSize(301).endsWith("…");
    }
}
