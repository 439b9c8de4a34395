package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Asynchronous requests over sockets that end in all ways, beside a model of Servlet 6.1 §2.3.3.3.
/// The model says which listener is called when, and which status the client gets.
@EveryMode
@Timeout(240)
final class AsyncOrdersTest {
    private static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <error-page><error-code>500</error-code><location>/page</location></error-page>
            </web-app>
            """;
    private static final int RANDOM_RUNS = 300;
    private static final int STAGES_MAX = 6;

    /// What a run of the servlet does.
    private enum Act {
        /// Returns without `startAsync`.
        RETURN,
        COMPLETE,
        COMPLETE_ON_THREAD,
        DISPATCH,
        DISPATCH_ON_THREAD,
        THROW,
        COMPLETE_THEN_THROW,
        DISPATCH_THEN_THROW,
        SEND_ERROR_THEN_COMPLETE,
        TIME_OUT,
        LOSE_CLIENT
    }

    /// What the listener or the error page does after a failure.
    private enum Reaction {
        NONE,
        COMPLETE,
        DISPATCH
    }

    /// A run of the servlet.
    ///
    /// @param act what it does
    /// @param listener what its second listener does at a timeout or an error
    /// @param page what the error page does
    private record Stage(Act act, Reaction listener, Reaction page) {
        static List<Stage> all() {
            List<Stage> all = new ArrayList<>();
            for (Act act : Act.values()) {
                all.add(new Stage(act, Reaction.NONE, Reaction.NONE));
                if (act == Act.THROW || act == Act.TIME_OUT) {
                    all.add(new Stage(act, Reaction.COMPLETE, Reaction.NONE));
                    all.add(new Stage(act, Reaction.DISPATCH, Reaction.NONE));
                    all.add(new Stage(act, Reaction.NONE, Reaction.COMPLETE));
                    all.add(new Stage(act, Reaction.NONE, Reaction.DISPATCH));
                }
            }
            return all;
        }

        boolean continues() {
            return act == Act.DISPATCH
                    || act == Act.DISPATCH_ON_THREAD
                    || listener == Reaction.DISPATCH
                    || page == Reaction.DISPATCH;
        }
    }

    @TempDir private Path folder;
    private final Trace trace = new Trace();
    private volatile List<Stage> stages = List.of();
    private final AtomicInteger at = new AtomicInteger();

    // The application

    private void serve(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        int number = at.get();
        Stage stage = stages.get(number);
        trace.add("run " + number);
        if (stage.act == Act.RETURN) {
            return;
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(stage.act == Act.TIME_OUT ? 1 : 0);
        async.addListener(
                trace.listener(
                        number + " first ",
                        (_, _) -> {
                            throw new IllegalStateException("wanted");
                        }));
        async.addListener(
                trace.listener(
                        number + " second ",
                        (event, _) -> {
                            if (event.equals("error") || event.equals("timeout")) {
                                react(async, stage.listener);
                            }
                        }));
        act(stage.act, async, response);
    }

    private void act(Act act, AsyncContext async, HttpServletResponse response)
            throws ServletException, IOException {
        switch (act) {
            case RETURN, TIME_OUT, LOSE_CLIENT -> {}
            case COMPLETE -> async.complete();
            case COMPLETE_ON_THREAD -> async.start(async::complete);
            case DISPATCH -> next(async);
            case DISPATCH_ON_THREAD -> async.start(() -> next(async));
            case THROW -> throw new ServletException("wanted");
            case COMPLETE_THEN_THROW -> {
                async.complete();
                throw new ServletException("wanted");
            }
            case DISPATCH_THEN_THROW -> {
                async.dispatch("/s");
                throw new ServletException("wanted");
            }
            case SEND_ERROR_THEN_COMPLETE -> {
                response.sendError(500);
                async.complete();
            }
        }
    }

    private void react(AsyncContext async, Reaction reaction) {
        switch (reaction) {
            case NONE -> {}
            case COMPLETE -> async.complete();
            case DISPATCH -> next(async);
        }
    }

    private void next(AsyncContext async) {
        at.incrementAndGet();
        async.dispatch("/s");
    }

    private void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
        trace.add("page");
        response.getWriter().print("page");
        Stage stage = stages.get(at.get());
        if (stage.page != Reaction.NONE) {
            react(request.getAsyncContext(), stage.page);
        }
    }

    // The model

    private static List<String> expected(List<Stage> program) {
        List<String> log = new ArrayList<>();
        int number = 0;
        while (true) {
            Stage stage = program.get(number);
            log.add("run " + number);
            if (stage.act == Act.RETURN) {
                if (number > 0) {
                    tell(log, number - 1, "complete");
                }
                break;
            }
            if (number > 0) {
                tell(log, number - 1, "start");
            }
            fails(log, stage, number);
            if (!stage.continues()) {
                tell(log, number, "complete");
                break;
            }
            number++;
        }
        log.add("destroyed");
        return log;
    }

    private static void fails(List<String> log, Stage stage, int number) {
        switch (stage.act) {
            case THROW, LOSE_CLIENT -> tell(log, number, "error");
            case TIME_OUT -> tell(log, number, "timeout");
            default -> {}
        }
        boolean shown =
                switch (stage.act) {
                    case THROW, TIME_OUT -> stage.listener == Reaction.NONE;
                    case COMPLETE_THEN_THROW, DISPATCH_THEN_THROW, SEND_ERROR_THEN_COMPLETE -> true;
                    default -> false;
                };
        if (shown) {
            log.add("page");
        }
    }

    private static void tell(List<String> log, int number, String event) {
        log.add(number + " first " + event);
        log.add(number + " second " + event);
    }

    // Runs

    private WebApp.Builder app() throws IOException {
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(folder.resolve("WEB-INF/web.xml"), DESCRIPTOR);
        return WebApp.of("", folder)
                .servlet("/s", new CodeServlet(this::serve))
                .servlet("/page", new CodeServlet(this::page))
                .listener(trace);
    }

    private void check(ServletServer server, List<Stage> program) {
        trace.clear();
        stages = program;
        at.set(0);
        List<String> expected = expected(program);
        if (program.getLast().act == Act.LOSE_CLIENT) {
            RawClient client = server.client();
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("the last run", () -> trace.has("run " + (program.size() - 1)));
            client.reset();
            Await.until("the end of " + program, () -> trace.has("destroyed"));
        } else {
            int status = expected.contains("page") ? 500 : 200;
            assertThat(server.get("/s").status()).as("%s", program).isEqualTo(status);
        }
        assertThat(trace.heard()).as("%s", program).isEqualTo(expected);
    }

    @Test
    void allOrdersOfTwoRunsEndAsTheModelSays() throws Exception {
        List<List<Stage>> programs = new ArrayList<>();
        for (Stage first : Stage.all()) {
            if (!first.continues()) {
                programs.add(List.of(first));
                continue;
            }
            for (Stage second : Stage.all()) {
                if (!second.continues()) {
                    programs.add(List.of(first, second));
                }
            }
        }
        assertThat(programs).hasSizeGreaterThan(80);
        try (ServletServer server = ServletServer.start(app())) {
            for (List<Stage> program : programs) {
                check(server, program);
            }
        }
    }

    @Test
    void longRandomOrdersEndAsTheModelSays() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("AsyncOrdersTest: seed " + seed);
        Random random = new Random(seed);
        List<Stage> all = Stage.all();
        List<Stage> continuing = all.stream().filter(Stage::continues).toList();
        List<Stage> last = all.stream().filter(stage -> !stage.continues()).toList();
        try (ServletServer server = ServletServer.start(app())) {
            for (int i = 0; i < RANDOM_RUNS; i++) {
                List<Stage> program = new ArrayList<>();
                int more = random.nextInt(STAGES_MAX);
                for (int k = 0; k < more; k++) {
                    program.add(continuing.get(random.nextInt(continuing.size())));
                }
                program.add(last.get(random.nextInt(last.size())));
                check(server, program);
            }
        }
    }
}
