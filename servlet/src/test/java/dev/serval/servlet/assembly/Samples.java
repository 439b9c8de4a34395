package dev.serval.servlet.assembly;

import jakarta.annotation.security.DeclareRoles;
import jakarta.annotation.security.RunAs;
import jakarta.annotation.sql.DataSourceDefinition;
import jakarta.annotation.sql.DataSourceDefinitions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.HttpMethodConstraint;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.ServletSecurity.EmptyRoleSemantic;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

/// Classes whose class files the tests scan. None is loaded by what is tested.
final class Samples {
    private Samples() {}

    @WebServlet(
            name = "cart",
            urlPatterns = {"/cart", "/cart/*"},
            loadOnStartup = 4,
            asyncSupported = true,
            initParams = {
                @WebInitParam(name = "a", value = "annotation"),
                @WebInitParam(name = "b", value = "annotation")
            })
    @MultipartConfig(location = "up", maxFileSize = 10, maxRequestSize = 20, fileSizeThreshold = 5)
    @RunAs("clerk")
    @DeclareRoles({"clerk", "admin"})
    @ServletSecurity(
            value =
                    @HttpConstraint(
                            rolesAllowed = "clerk",
                            transportGuarantee = TransportGuarantee.CONFIDENTIAL),
            httpMethodConstraints = {
                @HttpMethodConstraint(value = "TRACE", emptyRoleSemantic = EmptyRoleSemantic.DENY)
            })
    static final class Cart extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @DataSourceDefinition(
            name = "jdbc/one",
            className = "com.acme.Source",
            serverName = "db",
            portNumber = 5,
            databaseName = "shop",
            user = "ann",
            password = "secret",
            isolationLevel = 8,
            maxPoolSize = 3,
            properties = {"ssl=true", " mode = a=b "})
    static final class OneSource {}

    @DataSourceDefinitions({
        @DataSourceDefinition(name = "jdbc/one", className = "com.acme.Driver", url = "jdbc:x"),
        @DataSourceDefinition(name = "jdbc/two", className = "com.acme.Driver", url = "jdbc:y")
    })
    static final class TwoSources {}

    @WebServlet("/plain")
    static final class Plain extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @WebServlet(name = "cart", urlPatterns = "/other")
    static final class OtherCart extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @WebServlet(name = "none")
    static final class NoPattern extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @WebServlet(value = "/a", urlPatterns = "/b")
    static final class TwoPatterns extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @WebServlet("wrong")
    static final class WrongPattern extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @WebServlet("/abstract")
    abstract static class Unfinished extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @MultipartConfig
    static final class Upload extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @ServletSecurity(@HttpConstraint(rolesAllowed = "admin"))
    @MultipartConfig
    @RunAs("admin")
    abstract static class Guarded extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @WebServlet(name = "users", urlPatterns = "/users")
    static final class GuardedUsers extends Guarded {
        private static final long serialVersionUID = 1;
    }

    static class GuardedBare extends Guarded {
        private static final long serialVersionUID = 1;
    }

    @WebServlet(name = "clerks", urlPatterns = "/clerks")
    @ServletSecurity(@HttpConstraint(rolesAllowed = "clerk"))
    static final class GuardedClerks extends GuardedBare {
        private static final long serialVersionUID = 1;
    }

    @WebFilter(
            filterName = "log",
            value = "/*",
            servletNames = "cart",
            dispatcherTypes = {DispatcherType.REQUEST, DispatcherType.ERROR},
            asyncSupported = true,
            initParams = @WebInitParam(name = "level", value = "debug"))
    static final class Log implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {}
    }

    @WebListener
    static final class Listener implements ServletContextListener {}

    static class Parent implements ServletContextListener {}

    static final class Child extends Parent {
        @Deprecated int field;
    }
}
