package dev.serval.bench.bare;

import dev.serval.bench.bare.NettyServer.Served;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Answers the HTTP/2 requests of one read with files, then flushes. It works on frames, without a
/// channel for each stream.
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // exceptionCaught closes the connection
final class NettyStreams extends SimpleChannelInboundHandler<Object> {
    private final Map<String, Served> files;

    NettyStreams(Map<String, Served> files) {
        this.files = files;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object frame) {
        if (!(frame instanceof Http2HeadersFrame head) || !head.isEndStream()) {
            return;
        }
        @Nullable Served file = files.get(String.valueOf(head.headers().path()));
        Http2Headers fields = new DefaultHttp2Headers(false);
        if (file == null || file.content() == null) {
            fields.status(HttpResponseStatus.NOT_FOUND.codeAsText());
            context.write(new DefaultHttp2HeadersFrame(fields, true).stream(head.stream()));
            return;
        }
        fields.status(HttpResponseStatus.OK.codeAsText());
        fields.setLong("content-length", file.length());
        context.write(new DefaultHttp2HeadersFrame(fields).stream(head.stream()));
        context.write(
                new DefaultHttp2DataFrame(file.content().duplicate(), true).stream(head.stream()));
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
