package dev.serval.servlet.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.descriptor.ErrorPage;
import dev.serval.servlet.descriptor.Origin;
import jakarta.servlet.ServletException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Which page answers an error (Servlet 6.1 §10.9.2).
final class ErrorPageTableTest {
    private static final ErrorPageTable TABLE =
            new ErrorPageTable(
                    List.of(
                            code(404, "/404"),
                            code(500, "/500"),
                            exception(IOException.class, "/io"),
                            exception(RuntimeException.class, "/runtime"),
                            exception(IllegalArgumentException.class, "/argument"),
                            exception(ServletException.class, "/servlet")));

    private static ErrorPage code(int code, String location) {
        return new ErrorPage(code, null, location, Origin.code("test"));
    }

    private static ErrorPage exception(Class<?> type, String location) {
        return new ErrorPage(0, type.getName(), location, Origin.code("test"));
    }

    @ParameterizedTest
    @CsvSource({"404, /404", "500, /500", "403, "})
    void statusHasItsPageOrNone(int code, String location) {
        assertThat(TABLE.page(code)).isEqualTo(location);
    }

    @Test
    void pageWithoutStatusAndTypeIsForTheRest() {
        ErrorPageTable table = new ErrorPageTable(List.of(code(404, "/404"), code(0, "/rest")));
        assertThat(table.page(404)).isEqualTo("/404");
        assertThat(table.page(403)).isEqualTo("/rest");
        assertThat(table.page(new IOException()).location()).isEqualTo("/rest");
    }

    static Stream<Arguments> exceptions() {
        IOException io = new IOException();
        IllegalStateException state = new IllegalStateException();
        Error error = new AssertionError();
        return Stream.of(
                Arguments.of(io, "/io", io),
                Arguments.of(new FileNotFoundException(), "/io", null),
                Arguments.of(state, "/runtime", state),
                Arguments.of(new IllegalThreadStateException(), "/argument", null),
                Arguments.of(error, "/500", error),
                // The exception itself counts before its root cause.
                Arguments.of(new ServletException(io), "/servlet", null));
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void exceptionHasThePageOfItsNearestClass(Throwable thrown, String location, Object shown) {
        ErrorPageTable.Found found = TABLE.page(thrown);
        assertThat(found.location()).isEqualTo(location);
        assertThat(found.shown()).isSameAs(shown == null ? thrown : shown);
    }

    @Test
    void rootCauseCountsOnlyIfTheServletExceptionHasNoPage() {
        ErrorPageTable table = new ErrorPageTable(List.of(exception(IOException.class, "/io")));
        IOException io = new IOException();
        ErrorPageTable.Found found = table.page(new ServletException(new ServletException(io)));
        assertThat(found.location()).isEqualTo("/io");
        assertThat(found.shown()).isSameAs(io);
        // The cause of any other exception does not count.
        IllegalStateException state = new IllegalStateException(io);
        assertThat(table.page(state).location()).isNull();
        assertThat(table.page(state).shown()).isSameAs(state);
    }

    @Test
    void rootCauseWithoutPageIsShownByThePageOf500() {
        ErrorPageTable table = new ErrorPageTable(List.of(code(500, "/500")));
        IOException io = new IOException();
        ErrorPageTable.Found found = table.page(new ServletException(io));
        assertThat(found.location()).isEqualTo("/500");
        assertThat(found.shown()).isSameAs(io);
    }
}
