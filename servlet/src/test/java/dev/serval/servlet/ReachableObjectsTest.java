package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// EL 6.0 reads the components of a record instead of its getters, so no object of the container that
/// a page can reach by getters is one (docs/internals/jsp.md).
@EveryMode
@Timeout(60)
final class ReachableObjectsTest {
    private static final UserStore USERS =
            UserStore.inMemory().user("ada", "s3cret", "staff").build();
    private static final String DESCRIPTOR =
            """
            <display-name>reached</display-name>
            <jsp-config><taglib><taglib-uri>a</taglib-uri><taglib-location>/WEB-INF/a.tld
            </taglib-location></taglib></jsp-config>
            <login-config><auth-method>BASIC</auth-method></login-config>
            <security-role><role-name>staff</role-name></security-role>
            """;
    private static final String CONTENT =
            """
            --x\r
            Content-Disposition: form-data; name="file"; filename="a.txt"\r
            \r
            content\r
            --x--\r
            """;

    private final Set<Class<?>> passed = new HashSet<>();
    private final Set<String> names = new TreeSet<>();
    private final Set<String> records = new TreeSet<>();

    private void walk(@Nullable Object reached) {
        switch (reached) {
            case null -> {}
            case Map<?, ?> map -> map.values().forEach(this::walk);
            case Iterable<?> all -> all.forEach(this::walk);
            case Enumeration<?> all -> all.asIterator().forEachRemaining(this::walk);
            case Object[] all -> {
                for (Object each : all) {
                    walk(each);
                }
            }
            default -> {
                Class<?> type = reached.getClass();
                if (type.getName().startsWith("dev.serval.") && passed.add(type)) {
                    names.add(type.getSimpleName());
                    if (type.isRecord()) {
                        records.add(type.getName());
                    }
                    getters(reached);
                    attributes(reached);
                }
            }
        }
    }

    private void getters(Object reached) {
        for (Method method : reached.getClass().getMethods()) {
            boolean getter =
                    method.getName().startsWith("get") || method.getName().startsWith("is");
            if (getter
                    && method.getParameterCount() == 0
                    && !Modifier.isStatic(method.getModifiers())
                    && method.getDeclaringClass().getName().startsWith("dev.serval.")) {
                walk(value(reached, method));
            }
        }
    }

    private static @Nullable Object value(Object reached, Method getter) {
        try {
            getter.setAccessible(true);
            return getter.invoke(reached);
        } catch (InvocationTargetException e) {
            return null; // such as getReader after getInputStream
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private void attributes(Object reached) {
        switch (reached) {
            case ServletRequest request ->
                    attributes(request.getAttributeNames(), request::getAttribute);
            case HttpSession session ->
                    attributes(session.getAttributeNames(), session::getAttribute);
            case ServletContext context ->
                    attributes(context.getAttributeNames(), context::getAttribute);
            default -> {}
        }
    }

    private void attributes(Enumeration<String> all, Function<String, @Nullable Object> attribute) {
        for (String name : Collections.list(all)) {
            walk(attribute.apply(name));
        }
    }

    private void walkAll(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        walk(request.getParts()); // first, because other getters use up the content
        HttpSession session = request.getSession();
        session.setAttribute("user", request.getUserPrincipal());
        AsyncContext async = request.startAsync();
        walk(request);
        walk(response);
        walk(session);
        walk(request.getServletContext());
        async.complete();
    }

    /// A servlet that takes parts, with a path of its own, so that a forward adds its attributes.
    private static ServletContextListener first() {
        CodeServlet forwarding =
                new CodeServlet((request, response) -> {
                    if (request.authenticate(response)) {
                        request.getRequestDispatcher("/walk").forward(request, response);
                    }
                });
        return new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                ServletRegistration.Dynamic added =
                        event.getServletContext().addServlet("first", forwarding);
                added.addMapping("/first");
                added.setAsyncSupported(true);
                added.setMultipartConfig(new MultipartConfigElement(""));
            }
        };
    }

    @Test
    void noneIsARecord() throws IOException {
        try (AppFolder folder =
                        new AppFolder().file("WEB-INF/web.xml", SecurityTest.webXml(DESCRIPTOR));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .servlet("/walk", new CodeServlet(this::walkAll))
                                        .filter("/first", (q, r, chain) -> chain.doFilter(q, r))
                                        .listener(first()),
                                USERS)) {
            RawResponse response =
                    server.post(
                            "/app/first",
                            CONTENT,
                            SecurityTest.basic("ada", "s3cret"),
                            "Cookie: a=b",
                            "Content-Type: multipart/form-data; boundary=x");
            assertThat(response.status()).isEqualTo(200);
        }
        assertThat(records).isEmpty();
        assertThat(names)
                .contains(
                        "AppRequest",
                        "AppResponse",
                        "SessionFacade",
                        "IdAccessor",
                        "AppContext",
                        "UserPrincipal",
                        "PathMapping",
                        "RequestConnection",
                        "FormPart",
                        "ServletEntry",
                        "FilterEntry");
    }
}
