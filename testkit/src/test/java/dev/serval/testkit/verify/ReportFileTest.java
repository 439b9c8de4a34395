package dev.serval.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportFileTest {
    @Test
    void readsPassedTestsWithoutTheirOutput() throws IOException {
        List<TestResult> results =
                read(
                        """
                        <testcase name="one" classname="a.FooTest" time="0.1">
                          <system-out><![CDATA[<testcase name="no"/> <failure/>]]></system-out>
                        </testcase>
                        <testcase name="two(int)[1]" classname="a.FooTest"/>
                        """);
        assertThat(results)
                .containsExactly(
                        new TestResult("m", "a.FooTest", "one", new TestResult.Outcome.Passed()),
                        new TestResult(
                                "m", "a.FooTest", "two(int)[1]", new TestResult.Outcome.Passed()));
    }

    @Test
    void readsTheTraceOfFailuresAndErrors() throws IOException {
        List<TestResult> results =
                read(
                        """
                        <testcase name="one" classname="a.FooTest">
                          <failure message="m" type="T"><![CDATA[T: a < b
                        	at a.FooTest.one(FooTest.java:3)]]></failure>
                        </testcase>
                        <testcase name="two" classname="a.FooTest">
                          <error message="only this" type="T"/>
                        </testcase>
                        """);
        assertThat(results)
                .extracting(TestResult::outcome)
                .containsExactly(
                        new TestResult.Outcome.Failed(
                                "T: a < b\n\tat a.FooTest.one(FooTest.java:3)"),
                        new TestResult.Outcome.Failed("only this"));
    }

    @Test
    void findsTheReasonOfASkipInTheAttributeOrInTheTrace() throws IOException {
        List<TestResult> results =
                read(
                        """
                        <testcase name="one" classname="a.FooTest">
                          <skipped message="not on this system"/>
                        </testcase>
                        <testcase name="two" classname="a.FooTest">
                          <skipped type="X"><![CDATA[org.X: Assumption failed: needs wrk (Debian package wrk)
                        	at a.FooTest.two(FooTest.java:3)
                        ]]></skipped>
                        </testcase>
                        <testcase name="three" classname="a.FooTest"><skipped/></testcase>
                        """);
        assertThat(results)
                .extracting(TestResult::outcome)
                .containsExactly(
                        new TestResult.Outcome.Skipped("not on this system"),
                        new TestResult.Outcome.Skipped("needs wrk (Debian package wrk)"),
                        new TestResult.Outcome.Skipped(""));
    }

    @Test
    void faultOfTheClassHasNoMethod() throws IOException {
        assertThat(
                        read("<testcase name=\"a.FooTest\" classname=\"a.FooTest\"/>")
                                .getFirst()
                                .title())
                .isEqualTo("FooTest");
    }

    @Test
    void namesTruncatedReport() {
        assertThatThrownBy(() -> read("<testcase name=\"one\""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TEST-a.xml is not a JUnit report");
    }

    private static List<TestResult> read(String cases) throws IOException {
        try (TempTree tree = TempTree.create()) {
            String report = "<?xml version=\"1.0\"?><testsuite>" + cases + "</testsuite>";
            return ReportFile.read(tree.file("TEST-a.xml", report), "m");
        }
    }
}
