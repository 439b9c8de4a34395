package dev.serval.soak.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Does the same as [StreamServlet] with listeners instead of streams that block.
@WebServlet(urlPatterns = "/listen/*", asyncSupported = true)
public final class ListenServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        AsyncContext context = Watch.start(request);
        byte[] content = Pattern.stream(Asked.seed(request));
        response.getOutputStream().setWriteListener(new SendListener(context, content));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        AsyncContext context = Watch.start(request);
        if (Asked.way(request).equals("sum")) {
            request.getInputStream().setReadListener(new SumListener(context));
            return;
        }
        EchoListener echo = new EchoListener(context);
        request.getInputStream().setReadListener(echo);
        response.getOutputStream().setWriteListener(echo);
    }
}
