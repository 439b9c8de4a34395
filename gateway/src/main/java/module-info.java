/// The gateway of Serval: applications that run in processes of their own, behind the engine.
@SuppressWarnings("exports") // the server uses settings and status, not the types of loops
module dev.serval.gateway {
    requires static transitive org.jspecify;
    requires transitive dev.serval.engine;

    exports dev.serval.gateway.cgi;
    exports dev.serval.gateway.fastcgi;
    exports dev.serval.gateway.lrwp;
    exports dev.serval.gateway.neighbour;
    exports dev.serval.gateway.peer;
    exports dev.serval.gateway.proxy;
    exports dev.serval.gateway.spool;
    exports dev.serval.gateway.tls;
}
