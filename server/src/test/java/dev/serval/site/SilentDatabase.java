package dev.serval.site;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Speaks enough of PostgreSQL's protocol for a driver to connect and to run statements that do
/// nothing. A connection that gets a statement with the word `silence` answers nothing any more.
final class SilentDatabase implements AutoCloseable {
    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;
    private static final int PROTOCOL_3 = 3 << 16;

    private final ServerSocket server;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

    SilentDatabase() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /// Returns a URL of JDBC, to which parameters can be added.
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/x?user=a&password=b";
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = server.accept();
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void serve(Socket connection) {
        try (connection) {
            DataInputStream in = new DataInputStream(connection.getInputStream());
            DataOutputStream out = new DataOutputStream(connection.getOutputStream());
            if (begin(in, out)) {
                answer(in, out);
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    /// Returns whether a connection has begun, rather than a request to cancel.
    private static boolean begin(DataInputStream in, DataOutputStream out) throws IOException {
        int length = in.readInt();
        int code = in.readInt();
        while (code == SSL_REQUEST || code == GSS_REQUEST) {
            out.write('N');
            length = in.readInt();
            code = in.readInt();
        }
        in.readNBytes(length - 8);
        if (code != PROTOCOL_3) {
            return false;
        }
        message(out, 'R', new byte[4]);
        for (String parameter :
                new String[] {
                    "server_version\0" + "16.0\0",
                    "client_encoding\0UTF8\0",
                    "standard_conforming_strings\0on\0",
                    "integer_datetimes\0on\0",
                    "DateStyle\0ISO\0"
                }) {
            message(out, 'S', parameter.getBytes(StandardCharsets.US_ASCII));
        }
        message(out, 'K', new byte[8]);
        message(out, 'Z', new byte[] {'I'});
        return true;
    }

    private static void answer(DataInputStream in, DataOutputStream out) throws IOException {
        boolean silent = false;
        boolean shows = false; // whether the statement asks for the isolation of transactions
        int kind = in.read();
        while (kind >= 0 && kind != 'X') {
            String content =
                    new String(in.readNBytes(in.readInt() - 4), StandardCharsets.ISO_8859_1);
            silent |= content.contains("silence");
            if (kind == 'P' || kind == 'Q') {
                shows = content.contains("SHOW");
            }
            if (!silent) {
                reply(kind, shows, out);
            }
            kind = in.read();
        }
    }

    private static void reply(int kind, boolean shows, DataOutputStream out) throws IOException {
        switch (kind) {
            case 'P' -> message(out, '1', new byte[0]);
            case 'B' -> message(out, '2', new byte[0]);
            case 'D' -> describe(shows, out);
            case 'E' -> execute(shows, out);
            case 'S' -> message(out, 'Z', new byte[] {'I'});
            case 'Q' -> {
                if (shows) {
                    describe(true, out);
                }
                execute(shows, out);
                message(out, 'Z', new byte[] {'I'});
            }
            default -> throw new IOException("Unknown message " + (char) kind);
        }
    }

    private static void describe(boolean shows, DataOutputStream out) throws IOException {
        if (shows) {
            // One column: name, table, number, type text, any size, no modifier, as text.
            message(out, 'T', bytes("\0\1a\0\0\0\0\0\0\0\0\0\0\31\377\377\377\377\377\377\0\0"));
        } else {
            message(out, 'n', new byte[0]);
        }
    }

    private static void execute(boolean shows, DataOutputStream out) throws IOException {
        if (shows) {
            message(out, 'D', bytes("\0\1\0\0\0\16read committed"));
            message(out, 'C', bytes("SHOW\0"));
        } else {
            message(out, 'I', new byte[0]);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void message(DataOutputStream out, char kind, byte[] content)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        data.writeByte(kind);
        data.writeInt(content.length + 4);
        data.write(content);
        out.write(bytes.toByteArray());
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Closeable connection : connections) {
            connection.close();
        }
    }
}
