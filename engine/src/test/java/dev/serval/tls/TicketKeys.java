package dev.serval.tls;

import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.TlsClient;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/// A program that prints which keys seal the tickets of one server. The JDK reads how long it uses a key
/// from a property of the process.
final class TicketKeys {
    private static final int HANDSHAKE = 22; // types of records (RFC 5246 §6.2.1)
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int NEW_SESSION_TICKET = 4; // of handshake messages (RFC 5077 §3.3)

    private TicketKeys() {}

    /// Prints the number of the key for two clients, then whether the first one resumes its session.
    public static void main(String[] arguments) throws SSLException {
        TlsPlug plug = new TlsPlug();
        SSLContext first = plug.keys.trusting();
        StringBuilder line = new StringBuilder();
        line.append(key(flights(plug, first)));
        awaitNextMillisecond();
        line.append(' ').append(key(flights(plug, plug.keys.trusting())));
        awaitNextMillisecond();
        int resumed = flights(plug, first).remaining();
        int whole = flights(plug, plug.keys.trusting()).remaining();
        line.append(resumed < whole ? " resumed" : " whole");
        System.out.println(line);
    }

    /// The keys of the JDK are as old as its clock of milliseconds says.
    private static void awaitNextMillisecond() {
        long before = System.currentTimeMillis();
        while (System.currentTimeMillis() <= before + 1) {
            Thread.onSpinWait();
        }
    }

    /// Completes a handshake, and returns all that the server has sent.
    private static ByteBuffer flights(TlsPlug plug, SSLContext context) throws SSLException {
        MemoryPeer peer = plug.connect();
        TlsClient client = TlsClient.of(context, "TLSv1.2").begin();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] out = client.toSend();
        while (out.length > 0) {
            peer.send(out);
            plug.turns(3);
            byte[] in = peer.take();
            all.writeBytes(in);
            client.receive(in, 0, in.length);
            out = client.toSend();
        }
        return ByteBuffer.wrap(all.toByteArray());
    }

    /// Returns the first four bytes of the ticket, which the JDK uses for the number of the key.
    private static int key(ByteBuffer records) {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        while (records.get(records.position()) != CHANGE_CIPHER_SPEC) {
            boolean handshake = records.get() == HANDSHAKE;
            records.getShort(); // the version
            byte[] content = new byte[records.getShort()];
            records.get(content);
            if (handshake) {
                messages.writeBytes(content);
            }
        }
        ByteBuffer handshake = ByteBuffer.wrap(messages.toByteArray());
        while (true) {
            int head = handshake.getInt(); // the type, and the length in three bytes
            if (head >> 24 == NEW_SESSION_TICKET) {
                return handshake.getInt(handshake.position() + 6); // after lifetime and length
            }
            handshake.position(handshake.position() + (head & 0xff_ffff));
        }
    }
}
