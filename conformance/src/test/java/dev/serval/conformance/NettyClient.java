package dev.serval.conformance;

import dev.serval.testkit.TestKeys;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Netty's client of HTTP/2 on one connection, with TLS or with prior knowledge. Requests may be made
/// at the same time. Owned by the thread of its test.
final class NettyClient implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel connection;
    private final String scheme;

    /// Connects to a port of `localhost`.
    ///
    /// @param keys those of the server; null for a connection without TLS
    NettyClient(int port, @Nullable TestKeys keys) throws IOException {
        this.scheme = keys == null ? "http" : "https";
        @Nullable SslContext tls = keys == null ? null : tls(keys);
        this.connection =
                new Bootstrap()
                        .group(group)
                        .channel(NioSocketChannel.class)
                        .handler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        if (tls != null) {
                                            channel.pipeline()
                                                    .addLast(
                                                            tls.newHandler(
                                                                    channel.alloc(),
                                                                    "localhost",
                                                                    port));
                                        }
                                        channel.pipeline()
                                                .addLast(
                                                        Http2FrameCodecBuilder.forClient().build(),
                                                        new Http2MultiplexHandler(
                                                                new ChannelInboundHandlerAdapter()));
                                    }
                                })
                        .connect("localhost", port)
                        .syncUninterruptibly()
                        .channel();
    }

    private static SslContext tls(TestKeys keys) throws IOException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(keys.certificate().toFile())
                .applicationProtocolConfig(
                        new ApplicationProtocolConfig(
                                Protocol.ALPN,
                                SelectorFailureBehavior.NO_ADVERTISE,
                                SelectedListenerFailureBehavior.ACCEPT,
                                ApplicationProtocolNames.HTTP_2))
                .build();
    }

    /// Begins a request.
    ///
    /// @param content empty for a GET, otherwise that of a POST
    CompletableFuture<byte[]> ask(String path, byte[] content) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        Channel stream =
                new Http2StreamChannelBootstrap(connection)
                        .handler(new Answer(answer))
                        .open()
                        .syncUninterruptibly()
                        .getNow();
        Http2Headers head =
                new DefaultHttp2Headers()
                        .method(content.length == 0 ? "GET" : "POST")
                        .scheme(scheme)
                        .authority("localhost")
                        .path(path);
        write(stream, new DefaultHttp2HeadersFrame(head, content.length == 0), answer);
        if (content.length > 0) {
            write(stream, new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(content), true), answer);
        }
        stream.flush();
        return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void write(
            Channel stream, Http2StreamFrame frame, CompletableFuture<byte[]> answer) {
        ChannelFuture _ =
                stream.write(frame)
                        .addListener(sent -> {
                            if (!sent.isSuccess()) {
                                answer.completeExceptionally(sent.cause());
                            }
                        });
    }

    @Override
    public void close() {
        connection.close().syncUninterruptibly();
        group.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /// Collects the content of one answer. Netty's thread owns it.
    private static final class Answer extends SimpleChannelInboundHandler<Http2StreamFrame> {
        private final CompletableFuture<byte[]> answer;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        Answer(CompletableFuture<byte[]> answer) {
            this.answer = answer;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame)
                throws IOException {
            switch (frame) {
                case Http2HeadersFrame head when head.isEndStream() -> end();
                case Http2DataFrame data -> {
                    data.content().readBytes(content, data.content().readableBytes());
                    if (data.isEndStream()) {
                        end();
                    }
                }
                case Http2ResetFrame reset ->
                        answer.completeExceptionally(
                                new AssertionError("reset with " + reset.errorCode()));
                default -> {} // a head with content after it
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            answer.completeExceptionally(cause);
        }

        private void end() {
            answer.complete(content.toByteArray());
        }
    }
}
