/// The HTTP engine of Serval: event loops, HTTP/1.1, routing and static files. Embed it through
/// `dev.serval.Serval`.
module dev.serval.engine {
    requires static transitive org.jspecify;

    exports dev.serval;
    exports dev.serval.blocking;
    exports dev.serval.conn;
    exports dev.serval.file;
    exports dev.serval.handler;
    exports dev.serval.http;
    exports dev.serval.http1;
    exports dev.serval.loop;
    exports dev.serval.net;
    exports dev.serval.policy;
    exports dev.serval.route;
    exports dev.serval.worker;
}
