package dev.serval.net.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Writes of a transport whose socket takes more than 64 KiB.
final class NioTransportTest {
    private static final int HEAP_MAX = 64 << 10;
    private static final int LONG = 10 << 20;

    private ServerSocketChannel listening;
    private SocketChannel client;
    private SocketChannel server;
    private Selector selector;
    private NioTransport transport;

    @BeforeEach
    void connect() throws IOException {
        selector = Selector.open();
        listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = SocketChannel.open(listening.getLocalAddress());
        server = listening.accept();
        server.configureBlocking(false);
        transport =
                new NioTransport(
                        server, selector, server.getLocalAddress(), server.getRemoteAddress());
    }

    @AfterEach
    void close() throws IOException {
        transport.close();
        client.close();
        listening.close();
        selector.close();
    }

    @Test
    void directBufferIsWrittenAsFarAsTheSocketTakesIt() throws IOException {
        assertThat(transport.write(ByteBuffer.allocateDirect(LONG))).isGreaterThan(HEAP_MAX);
    }

    /// The JDK copies all that it is given, for each write anew.
    @Test
    void longBufferOfTheHeapIsWrittenInPieces() throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONG);
        assertThat(transport.write(content)).isEqualTo(HEAP_MAX);
        assertThat(content.position()).isEqualTo(HEAP_MAX);
        assertThat(content.limit()).isEqualTo(LONG);
        assertThat(transport.writeBeforeFile(content)).isLessThanOrEqualTo(HEAP_MAX);
    }

    @Test
    void gatheringWriteEndsBeforeALongBufferOfTheHeap() throws IOException {
        ByteBuffer head = ByteBuffer.allocateDirect(100);
        ByteBuffer middle = ByteBuffer.allocate(HEAP_MAX);
        ByteBuffer content = ByteBuffer.allocate(LONG);
        ByteBuffer[] parts = {head, middle, content};
        assertThat(transport.write(parts, 3)).isEqualTo(100 + HEAP_MAX);
        assertThat(content.position()).isZero();
        assertThat(transport.write(new ByteBuffer[] {content, head}, 2)).isEqualTo(HEAP_MAX);
        assertThat(content.position()).isEqualTo(HEAP_MAX);
        assertThat(content.limit()).isEqualTo(LONG);
    }
}
