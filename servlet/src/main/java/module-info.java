/// The Jakarta Servlet 6.1 container of Serval. Embed it through `dev.serval.servlet`.
module dev.serval.servlet {
    requires static transitive org.jspecify;
    requires transitive dev.serval.engine;
    requires transitive jakarta.servlet;
    requires jakarta.annotation;
    requires java.management;
    requires java.naming;
    requires java.xml;
    requires static transitive java.sql;

    exports dev.serval.servlet;
    exports dev.serval.servlet.database;
    exports dev.serval.servlet.pages;
    exports dev.serval.servlet.inject.java to
            java.naming; // JNDI creates its class by name
}
