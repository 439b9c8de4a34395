package dev.serval.bench.bare;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
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
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program that runs Netty with its HTTP codec on java.nio. Arguments: `ROOT PORT`. It opens all
/// files at start, keeps files up to 32 KiB in direct buffers and sends longer ones as file
/// regions.
public final class NettyServer {
    private static final int SMALL_MAX_BYTES = 32 << 10;

    /// A file. `content` is null if the file is longer than [#SMALL_MAX_BYTES].
    private record Served(@Nullable ByteBuf content, FileChannel channel, long length) {}

    private NettyServer() {}

    /// Starts the server, which serves until its process ends.
    ///
    /// @param arguments folder and port
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("The arguments must be ROOT PORT");
        }
        Answers answers = new Answers(files(Path.of(arguments[0])));
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
                                        channel.pipeline().addLast(new HttpServerCodec(), answers);
                                    }
                                });
        int port = Integer.parseInt(arguments[1]);
        server.bind(InetAddress.getLoopbackAddress(), port).sync().channel().closeFuture().sync();
    }

    private static Map<String, Served> files(Path root) throws IOException {
        Map<String, Served> served = new HashMap<>();
        try (Stream<Path> files = Files.list(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                long length = Files.size(file);
                @Nullable ByteBuf content = null;
                if (length <= SMALL_MAX_BYTES) {
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
