package dev.serval.servlet.context;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Every method of ServletContext is either refused or delegated.
final class RestrictedContextTest {
    /// The methods that "throw UnsupportedOperationException" (ServletContext).
    private static final Set<String> REFUSED =
            Set.of(
                    "setInitParameter",
                    "addServlet",
                    "addJspFile",
                    "createServlet",
                    "getServletRegistration",
                    "getServletRegistrations",
                    "addFilter",
                    "createFilter",
                    "getFilterRegistration",
                    "getFilterRegistrations",
                    "getSessionCookieConfig",
                    "setSessionTrackingModes",
                    "addListener",
                    "createListener",
                    "declareRoles",
                    "setSessionTimeout",
                    "setRequestCharacterEncoding",
                    "setResponseCharacterEncoding");

    /// An argument for each type that the methods have; null for the others.
    private static final Map<Class<?>, Object> ARGUMENTS =
            Map.of(
                    String.class,
                    "text",
                    Object.class,
                    "value",
                    Throwable.class,
                    new IllegalStateException(),
                    int.class,
                    7,
                    String[].class,
                    new String[] {"text"});

    @Test
    void refusesConfigurationAndDelegatesTheRest() throws Exception {
        List<String> delegated = new ArrayList<>();
        ServletContext full =
                (ServletContext)
                        Proxy.newProxyInstance(
                                ServletContext.class.getClassLoader(),
                                new Class<?>[] {ServletContext.class},
                                (proxy, method, arguments) -> {
                                    delegated.add(call(method, arguments));
                                    return method.getReturnType() == int.class ? 7 : null;
                                });
        ServletContext restricted = new RestrictedContext(full);
        Set<String> refused = new TreeSet<>();
        for (Method method : ServletContext.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) || method.isDefault()) {
                continue;
            }
            delegated.clear();
            @Nullable Object[] arguments =
                    Arrays.stream(method.getParameterTypes()).map(ARGUMENTS::get).toArray();
            try {
                @Nullable Object result = method.invoke(restricted, arguments);
                assertThat(delegated).containsExactly(call(method, arguments));
                assertThat(result).isEqualTo(method.getReturnType() == int.class ? 7 : null);
            } catch (InvocationTargetException thrown) {
                assertThat(thrown.getCause())
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(method.getName());
                assertThat(delegated).isEmpty();
                refused.add(method.getName());
            }
        }
        assertThat(refused).isEqualTo(REFUSED);
    }

    private static String call(Method method, @Nullable Object @Nullable [] arguments) {
        return method.getName()
                + (arguments == null || arguments.length == 0 ? "" : Arrays.toString(arguments));
    }
}
