/// The HTTP engine of Serval: event loops, HTTP/1.1, routing and static files. Embed it through
/// `dev.serval.Serval` and write applications with `dev.serval.app`.
@SuppressWarnings("module") // the servlet module is built after this one
module dev.serval.engine {
    requires static transitive org.jspecify;
    requires static java.logging;
    requires jdk.net; // TCP_QUICKACK of java.nio channels

    exports dev.serval;
    exports dev.serval.app;
    exports dev.serval.blocking;
    exports dev.serval.coding;
    exports dev.serval.conn;
    exports dev.serval.file;
    exports dev.serval.handler;
    exports dev.serval.http;
    exports dev.serval.log;
    exports dev.serval.metrics;
    exports dev.serval.policy;
    exports dev.serval.route;
    exports dev.serval.rule;
    exports dev.serval.tls;
    exports dev.serval.codec to
            dev.serval.gateway,
            dev.serval.servlet;
    exports dev.serval.exchange to
            dev.serval.gateway,
            dev.serval.servlet;
    exports dev.serval.http1 to
            dev.serval.gateway;
    exports dev.serval.loop to
            dev.serval.gateway;
    exports dev.serval.net to
            dev.serval.gateway;
    exports dev.serval.net.epoll to
            dev.serval.gateway; // its tests
    exports dev.serval.net.memory to
            dev.serval.gateway; // likewise
    exports dev.serval.worker to
            dev.serval.gateway; // for its tests
}
