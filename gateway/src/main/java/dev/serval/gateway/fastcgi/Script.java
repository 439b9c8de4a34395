package dev.serval.gateway.fastcgi;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.output.Description;
import dev.serval.http.TargetPath;

/// What a path below a FastCGI mount leads to. Immutable; any thread.
///
/// @param kind see [Kind]
/// @param name the script below the mount, such as `/a/index.php`
/// @param root the folder of scripts for the application server
/// @param infoAt the index in the path at which PATH_INFO begins; its length if there is none
@SuppressWarnings("ArrayRecordComponent") // the arrays are never compared or changed
record Script(Kind kind, byte[] name, byte[] root, int infoAt) implements Description {
    /// The kinds of paths.
    enum Kind {
        /// A script, which the application server runs.
        SCRIPT,
        /// A file or folder that the next handler of the chain serves, or nothing.
        PASS,
        /// Nothing that may be served: a hidden path, or the source of a script.
        HIDDEN
    }

    private static final byte[] NONE = {};

    static Script of(Kind kind) {
        return new Script(kind, NONE, NONE, 0);
    }

    /// Adds the variables as nginx's usual configuration for php-fpm does.
    @Override
    public void add(VariableBuffer out, EngineExchange x) {
        TargetPath path = x.request().target().path();
        byte[] bytes = path.buffer();
        int below = path.from() + x.route().prefixLength();
        int info = below + Math.min(infoAt, path.to() - below);
        out.begin("SCRIPT_NAME");
        out.put(bytes, path.from(), below).put(name, 0, name.length).end();
        out.begin("SCRIPT_FILENAME");
        out.put(root, 0, root.length).put(name, 0, name.length).end();
        out.begin("PATH_INFO");
        out.put(bytes, info, path.to()).end();
        out.add("DOCUMENT_ROOT", root);
        if (info < path.to()) {
            out.begin("PATH_TRANSLATED");
            out.put(root, 0, root.length).put(bytes, info, path.to()).end();
        }
        out.begin("DOCUMENT_URI");
        out.put(bytes, path.from(), below).put(name, 0, name.length);
        out.put(bytes, info, path.to()).end();
        out.add("REDIRECT_STATUS", "200"); // PHP's CGI refuses to run without it
    }
}
