package dev.serval.bench.bare;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program that runs Netty with its HTTP codec on java.nio. Arguments: `ROOT PORT`, and those of a
/// [Listener]. It opens all files at start, keeps files up to 32 KiB in direct buffers and sends longer
/// ones as file regions. Over TLS, which the JDK's engine makes, it keeps all files in buffers. In the
/// clear it speaks one version of HTTP.
public final class NettyServer {
    private static final int SMALL_MAX_BYTES = 32 << 10;

    /// A file. `content` is null if the file is longer than [#SMALL_MAX_BYTES].
    record Served(@Nullable ByteBuf content, FileChannel channel, long length) {}

    private NettyServer() {}

    /// Starts the server, which serves until its process ends.
    ///
    /// @param arguments folder and port
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("The arguments must be ROOT PORT");
        }
        Listener listener = Listener.of(arguments, 2);
        Map<String, Served> files =
                files(Path.of(arguments[0]), listener.tls() ? Integer.MAX_VALUE : SMALL_MAX_BYTES);
        @Nullable SslContext tls = listener.tls() ? tls(listener) : null;
        ChannelHandler answers = new Answers(files);
        ChannelHandler streams = new NettyStreams(files);
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ServerBootstrap server =
                new ServerBootstrap()
                        .group(loop)
                        .channel(NioServerSocketChannel.class)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        ChannelPipeline pipeline = channel.pipeline();
                                        if (tls != null) {
                                            pipeline.addLast(
                                                    tls.newHandler(channel.alloc()),
                                                    new Chosen(answers, streams));
                                        } else if (listener.hasStreams()) {
                                            add(pipeline, true, streams);
                                        } else {
                                            add(pipeline, false, answers);
                                        }
                                    }
                                });
        int port = Integer.parseInt(arguments[1]);
        server.bind(InetAddress.getLoopbackAddress(), port).sync().channel().closeFuture().sync();
    }

    private static void add(ChannelPipeline pipeline, boolean hasStreams, ChannelHandler handler) {
        pipeline.addLast(
                hasStreams ? Http2FrameCodecBuilder.forServer().build() : new HttpServerCodec(),
                handler);
    }

    private static SslContext tls(Listener listener) throws IOException, GeneralSecurityException {
        return SslContextBuilder.forServer(listener.keys())
                .sslProvider(SslProvider.JDK)
                .applicationProtocolConfig(
                        new ApplicationProtocolConfig(
                                ApplicationProtocolConfig.Protocol.ALPN,
                                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                                ApplicationProtocolNames.HTTP_2,
                                ApplicationProtocolNames.HTTP_1_1))
                .build();
    }

    /// Speaks the protocol that ALPN has chosen.
    private static final class Chosen extends ApplicationProtocolNegotiationHandler {
        private final ChannelHandler answers;
        private final ChannelHandler streams;

        Chosen(ChannelHandler answers, ChannelHandler streams) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.answers = answers;
            this.streams = streams;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            boolean two = protocol.equals(ApplicationProtocolNames.HTTP_2);
            add(context.pipeline(), two, two ? streams : answers);
        }
    }

    /// @param keptMax the longest file that is kept in a buffer
    private static Map<String, Served> files(Path root, int keptMax) throws IOException {
        Map<String, Served> served = new HashMap<>();
        try (Stream<Path> files = Files.list(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                long length = Files.size(file);
                @Nullable ByteBuf content = null;
                if (length <= keptMax) {
                    byte[] bytes = Files.readAllBytes(file);
                    content =
                            Unpooled.unreleasableBuffer(
                                    Unpooled.directBuffer(bytes.length).writeBytes(bytes));
                }
                FileChannel channel = FileChannel.open(file);
                served.put("/" + file.getFileName(), new Served(content, channel, length));
            }
        }
        return served;
    }

    /// Answers the requests of one read, then flushes.
    @Sharable
    @SuppressWarnings(
            "FutureReturnValueIgnored") // a void promise reports failures to exceptionCaught
    private static final class Answers extends SimpleChannelInboundHandler<Object> {
        private final Map<String, Served> files;

        Answers(Map<String, Served> files) {
            this.files = files;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, Object message) {
            if (!(message instanceof HttpRequest request)) {
                return;
            }
            @Nullable Served file = files.get(request.uri());
            HttpResponseStatus status =
                    file == null ? HttpResponseStatus.NOT_FOUND : HttpResponseStatus.OK;
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
            boolean keep = HttpUtil.isKeepAlive(request);
            HttpUtil.setContentLength(response, file == null ? 0 : file.length());
            response.headers().set(HttpHeaderNames.CONNECTION, keep ? "keep-alive" : "close");
            context.write(response, context.voidPromise());
            if (file != null) {
                ByteBuf content = file.content();
                context.write(
                        content != null ? content.duplicate() : new Region(file),
                        context.voidPromise());
            }
            var last = context.write(LastHttpContent.EMPTY_LAST_CONTENT);
            if (!keep) {
                last.addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /// A whole file. Its channel stays open.
    private static final class Region extends DefaultFileRegion {
        Region(Served file) {
            super(file.channel(), 0, file.length());
        }

        @Override
        protected void deallocate() {
            // All requests share the channel.
        }
    }
}
