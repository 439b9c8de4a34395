package dev.serval.gateway.lrwp;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.gateway.lrwp.SocketPeer.Style;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A program for a process with a small heap: a server with an agent. It prints its two ports, and
/// ends with its input.
final class SlowClients {
    private SlowClients() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        // A busy machine needs its time for 60 answers, and none of them is late.
        LrwpAgent agent =
                new LrwpAgent(
                        LrwpSettings.DEFAULT
                                .withPool(
                                        LrwpSettings.DEFAULT
                                                .pool()
                                                .with(draft ->
                                                        draft.answerNanos =
                                                                TimeUnit.MINUTES.toNanos(5)))
                                .withSpool(
                                        LrwpSettings.DEFAULT.spool().withDiskMaxBytes(2L << 30)));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        CountDownLatch end = new CountDownLatch(1);
        try (Serval server =
                Serval.builder()
                        .loops(2)
                        .withoutFlagWarning()
                        .onFatal(() -> Runtime.getRuntime().halt(3))
                        .listen(0)
                        .listen(new ListenerSpec(any).withProtocol(agent.protocol()))
                        .mount("/", agent.handler())
                        .start()) {
            int lrwp = ((InetSocketAddress) server.addresses().get(1)).getPort();
            System.out.println(server.port() + " " + lrwp + " " + Style.values().length);
            while (System.in.read() >= 0) {
                System.out.println(agent.status() + " disk " + agent.spool().diskBytes());
            }
            end.countDown();
        }
        end.await();
    }
}
