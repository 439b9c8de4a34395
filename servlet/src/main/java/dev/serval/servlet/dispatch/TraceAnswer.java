package dev.serval.servlet.dispatch;

import dev.serval.servlet.pages.AllowedMethods;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Refuses TRACE in place of a servlet: `HttpServlet.doTrace` would send the cookies and credentials
/// of the request to the script that asked. The Allow field names what the servlet allows (RFC 9110
/// §15.5.6). Stateless.
final class TraceAnswer {
    private static final String ALL = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    private TraceAnswer() {}

    static void send(Servlet servlet, ServletResponse response) throws IOException {
        if (response instanceof HttpServletResponse http && !http.isCommitted()) {
            http.setHeader("Allow", allowed(servlet));
            http.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        }
    }

    /// Returns the methods that the class of the servlet overrides. If it overrides `service`, it may
    /// allow any method.
    static String allowed(Servlet servlet) {
        if (servlet instanceof AllowedMethods known) {
            return known.allowed();
        }
        if (!(servlet instanceof HttpServlet)) {
            return ALL;
        }
        Set<String> overridden = new HashSet<>();
        for (Class<?> type = servlet.getClass();
                type != null && type != HttpServlet.class;
                type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                overridden.add(method.getName());
            }
        }
        return overridden.contains("service") ? ALL : String.join(", ", methods(overridden));
    }

    private static List<String> methods(Set<String> overridden) {
        List<String> methods = new ArrayList<>();
        boolean get = overridden.contains("doGet");
        addIf(get, "GET", methods);
        addIf(get || overridden.contains("doHead"), "HEAD", methods);
        addIf(overridden.contains("doPost"), "POST", methods);
        addIf(overridden.contains("doPut"), "PUT", methods);
        addIf(overridden.contains("doPatch"), "PATCH", methods);
        addIf(overridden.contains("doDelete"), "DELETE", methods);
        methods.add("OPTIONS");
        return methods;
    }

    private static void addIf(boolean allowed, String method, List<String> methods) {
        if (allowed) {
            methods.add(method);
        }
    }
}
