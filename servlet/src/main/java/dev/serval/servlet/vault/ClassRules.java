package dev.serval.servlet.vault;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Decides which classes a stored session may hold.
///
/// Allowed are the classes of the application, the values and collections of the JDK, exceptions of
/// the JDK, arrays of interfaces, `jakarta.servlet`, `jakarta.el`, and what `getUserPrincipal`
/// returns. Refused are proxies, lambdas, all other classes of the JDK, and classes of known
/// libraries that attackers use to run code while objects are read ("gadgets"),
/// even in WEB-INF/lib. Patterns of the administrator allow more. Immutable, any thread.
public final class ClassRules {
    private static final Pattern PATTERN =
            Pattern.compile(
                    "[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*(\\.\\*\\*?)?");

    private static final Set<String> JDK_CLASSES =
            Set.of(
                    "java.lang.Boolean",
                    "java.lang.Byte",
                    "java.lang.Character",
                    "java.lang.Double",
                    "java.lang.Enum",
                    "java.lang.Float",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Number",
                    "java.lang.Object",
                    "java.lang.Record",
                    "java.lang.Short",
                    "java.lang.StackTraceElement",
                    "java.lang.String",
                    "java.lang.String$CaseInsensitiveComparator", // which has no fields
                    "java.lang.StringBuffer",
                    "java.lang.StringBuilder",
                    "java.net.URI",
                    "java.sql.Date",
                    "java.sql.Time",
                    "java.sql.Timestamp",
                    "sun.util.calendar.ZoneInfo"); // of java.util.GregorianCalendar

    /// What `getUserPrincipal` returns. By its name, because this package depends on the JDK only.
    private static final String PRINCIPAL = "dev.serval.servlet.login.UserPrincipal";

    private static final List<String> JDK_PACKAGES =
            List.of(
                    "java.math.",
                    "java.time.",
                    "java.time.chrono.",
                    "java.time.zone.",
                    "java.util.",
                    "java.util.concurrent.",
                    "java.util.concurrent.atomic.",
                    "java.util.concurrent.locks.",
                    "java.util.regex.");

    /// Prefixes of classes that published attacks have used.
    private static final List<String> GADGETS =
            List.of(
                    "bsh.",
                    "ch.qos.logback.core.db.",
                    "clojure.",
                    "com.alibaba.fastjson.",
                    "com.caucho.naming.",
                    "com.fasterxml.jackson.databind.node.POJONode",
                    "com.mchange.v2.",
                    "com.rometools.rome.feed.impl.",
                    "com.sun.syndication.feed.impl.",
                    "com.vaadin.data.util.",
                    "net.sf.json.",
                    "org.apache.click.control.",
                    "org.apache.commons.beanutils.",
                    "org.apache.commons.collections.functors.",
                    "org.apache.commons.collections.keyvalue.",
                    "org.apache.commons.collections.map.LazyMap",
                    "org.apache.commons.collections4.comparators.",
                    "org.apache.commons.collections4.functors.",
                    "org.apache.commons.collections4.keyvalue.",
                    "org.apache.commons.collections4.map.LazyMap",
                    "org.apache.commons.fileupload.disk.",
                    "org.apache.myfaces.context.servlet.",
                    "org.apache.myfaces.el.",
                    "org.apache.wicket.util.upload.",
                    "org.apache.xalan.",
                    "org.codehaus.groovy.runtime.",
                    "org.hibernate.engine.spi.TypedValue",
                    "org.hibernate.property.",
                    "org.hibernate.tuple.",
                    "org.jboss.interceptor.",
                    "org.jboss.weld.interceptor.",
                    "org.mozilla.javascript.",
                    "org.python.core.",
                    "org.springframework.aop.aspectj.",
                    "org.springframework.aop.framework.",
                    "org.springframework.aop.target.",
                    "org.springframework.beans.factory.",
                    "org.springframework.core.SerializableTypeWrapper",
                    "org.springframework.jndi.",
                    "org.springframework.transaction.jta.");

    private final ClassLoader loader;
    private final List<String> allowed;

    /// Creates the rules of an application.
    ///
    /// @param loader of the application
    /// @param allowed more classes: names, `package.*` or `package.**`, checked by [#check]
    public ClassRules(ClassLoader loader, List<String> allowed) {
        this.loader = loader;
        this.allowed = List.copyOf(allowed);
    }

    /// Checks a pattern of the administrator.
    ///
    /// @throws IllegalArgumentException if it is not one
    public static String check(String pattern) {
        if (!PATTERN.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    "A class that sessions may hold is written as a name such as com.acme.Cart, or"
                            + " as com.acme.* or com.acme.**, not \""
                            + pattern
                            + "\"");
        }
        return pattern;
    }

    /// Returns whether a session may hold objects of the class, or arrays of it.
    boolean allows(Class<?> type) {
        Class<?> element = element(type);
        if (element.isPrimitive()) {
            return true;
        }
        String name = element.getName();
        if (allowed.stream().anyMatch(pattern -> matches(pattern, name))) {
            return true;
        }
        if (Proxy.isProxyClass(element) || GADGETS.stream().anyMatch(name::startsWith)) {
            return false;
        }
        // Of an interface there are only arrays, whose elements have classes of their own.
        return element.isInterface() || isOfApplication(element) || isValue(element, name);
    }

    /// Returns the class of the elements of an array; another class itself.
    static Class<?> element(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element;
    }

    /// Returns what an administrator can do about a class that is refused.
    static String advice(String className) {
        return "if it is harmless, allow it by --session-allow " + className;
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.endsWith(".**")) {
            return name.startsWith(pattern.substring(0, pattern.length() - 2));
        }
        if (pattern.endsWith(".*")) {
            return isIn(pattern.substring(0, pattern.length() - 1), name);
        }
        return pattern.equals(name);
    }

    private static boolean isIn(String prefix, String name) {
        return name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0;
    }

    /// Returns whether the application's loader has defined the class. An application without files
    /// lives in the loader of the program, which then counts as its own.
    private boolean isOfApplication(Class<?> type) {
        @Nullable ClassLoader own = type.getClassLoader();
        return own != null && own.equals(loader);
    }

    private static boolean isValue(Class<?> type, String name) {
        if (JDK_CLASSES.contains(name)
                || name.startsWith("jakarta.servlet.")
                || name.startsWith("jakarta.el.")
                || name.equals(PRINCIPAL)) {
            return true;
        }
        if (!name.startsWith("java.")) {
            return false;
        }
        return Throwable.class.isAssignableFrom(type)
                || JDK_PACKAGES.stream().anyMatch(prefix -> isIn(prefix, name));
    }
}
