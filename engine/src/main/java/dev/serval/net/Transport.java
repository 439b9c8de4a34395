package dev.serval.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// Carries the bytes of one connection in both directions without blocking, over a socket or in
/// memory. Owned by its loop, but for its addresses. An IOException means that the connection is lost.
///
/// A transport may transform the bytes on their way, in records as TLS does. It lies over the
/// transport of the socket ([Driver.Factory#transport]) and stands between that and the connection,
/// also as the socket's [Readiness]. Its duties beyond those of a socket are in
/// docs/internals/transports.md.
public interface Transport {
    /// What [#acknowledged] returns if it is not known.
    long UNKNOWN = -1;

    /// How long a peer may be silent before [#keepAlive] probes it, in seconds.
    int SILENCE_SECONDS = 60;

    /// The time between two probes, in seconds.
    int PROBE_SECONDS = 10;

    /// The probes without an answer after which the connection is lost.
    int PROBES = 6;

    /// Returns the local address. Any thread.
    SocketAddress local();

    /// Returns the peer's address. Any thread.
    SocketAddress peer();

    /// Returns how the bytes are encrypted on their way; null if they are not. Whether it is null never
    /// changes. Any thread.
    default @Nullable Encryption encryption() {
        return null;
    }

    /// Sets the receiver of readiness events.
    void attach(Readiness readiness);

    /// Reads the available bytes into a direct buffer.
    ///
    /// @return bytes read, 0 if none are available yet, -1 at the end of the stream
    int read(ByteBuffer into) throws IOException;

    /// Returns whether a read may find bytes or the end of the stream. If not, a read has found
    /// nothing more, and a later poll has reported nothing. Bytes that the transport itself holds for
    /// a read count.
    default boolean mayHaveInput() {
        return true;
    }

    /// Returns the bytes on the socket that the peer's system has acknowledged; [#UNKNOWN] if this
    /// transport does not know. Only a change of the number has a meaning.
    default long acknowledged() {
        return UNKNOWN;
    }

    /// Acknowledges at once what has been read, if the system delays that and nothing more has
    /// arrived. A peer that writes a message in pieces without TCP_NODELAY sends the next small piece
    /// only then (RFC 9293 §3.7.4).
    void acknowledgeNow();

    /// Lets the system probe a silent peer (RFC 9293 §3.8.4). So a connection whose peer never speaks
    /// first is lost within two minutes after the peer's machine has vanished. Does nothing for
    /// transports that have no probes.
    default void keepAlive() {}

    /// Writes as much of one buffer as the transport takes. The next write begins with the bytes that
    /// were not taken, perhaps in other buffers.
    ///
    /// @return bytes written: the system has all that the peer needs to read them
    int write(ByteBuffer part) throws IOException;

    /// Writes as much of `parts[0, count)` as the transport takes, in one system call. Otherwise as
    /// the other `write`.
    ///
    /// @return bytes written
    long write(ByteBuffer[] parts, int count) throws IOException;

    /// Returns whether the transport sends files: [#writeBeforeFile] and [#transfer] may be called.
    /// If not, the connection reads the file ([Network#readNow], [DiskThreads]) and writes its bytes.
    /// Never changes.
    default boolean sendsFiles() {
        return true;
    }

    /// Writes as much of one buffer as the transport takes, and announces a file. The system may
    /// wait for the file's bytes and send both in one packet. If the transport takes the whole
    /// buffer, the caller must call [#transfer] at once.
    ///
    /// @return bytes written
    int writeBeforeFile(ByteBuffer part) throws IOException;

    /// Writes as much of a file as the transport takes.
    ///
    /// @return bytes written; 0 also if the file ends before `position`
    long transfer(FileChannel file, long position, long count) throws IOException;

    /// Returns whether [#transfer(Conduit, long)] moves bytes inside the system. It never changes.
    default boolean sendsConduits() {
        return false;
    }

    /// Writes as much of what a conduit holds as the transport takes. Only if [#sendsConduits].
    ///
    /// @return bytes written
    default long transfer(Conduit from, long count) throws IOException {
        throw new IllegalStateException("This transport sends no conduits: read the bytes");
    }

    /// Sets the events to report from now on, as long as they last (level-triggered). Bytes that the
    /// transport itself holds for a read are such an event, even if the socket has none.
    void interest(boolean read, boolean write);

    /// Ends the outgoing stream after all that was written.
    void shutdownOutput() throws IOException;

    /// Returns the bytes of memory that the transport holds beyond a turn. The transport also counts
    /// them by the loop's [BufferPool].
    default long held() {
        return 0;
    }

    /// Returns whether [#release] may be called now. A transport that transforms bytes is movable
    /// only if it holds none.
    default boolean isMovable() {
        return true;
    }

    /// Leaves this loop, so that the network of another loop of the same kind can adopt the open
    /// socket. Nothing may wait to be written. After this call, no method may be called.
    LooseSocket release();

    /// Closes the connection. The system still delivers the bytes that it has taken.
    void close();

    /// Resets the connection. The system delivers no more bytes.
    void reset();
}
