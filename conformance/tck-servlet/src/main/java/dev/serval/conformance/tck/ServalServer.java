package dev.serval.conformance.tck;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.jsp.JspPages;
import dev.serval.policy.Limits;
import dev.serval.route.RouteTable;
import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.UserStore;
import dev.serval.servlet.WebApp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Serval as the server under test. Idle connections end soon, because some clients of the suite
/// read until then.
public class ServalServer implements TckServer {
    private static final long IDLE_NANOS = 5_000_000_000L;

    private final Map<String, WebApp> apps = new LinkedHashMap<>();
    private @Nullable ServletContainer container;
    private @Nullable Serval server;

    /// Creates a server that acquires nothing yet.
    public ServalServer() {}

    @Override
    public InetSocketAddress start() throws Exception {
        container =
                ServletContainer.builder()
                        .workFolder(Files.createTempDirectory("serval-tck-"))
                        .users(users())
                        .pages(new JspPages())
                        .encoding(null) // the suite expects the defaults of the specification
                        .open();
        Limits limits = Limits.DEFAULT;
        Serval.Builder builder =
                Serval.builder()
                        .listen(listener())
                        .limits(limits.with(draft -> draft.pace.idleNanos = IDLE_NANOS));
        prepare(builder);
        Serval started = builder.start();
        server = started;
        return (InetSocketAddress) started.addresses().getFirst();
    }

    /// Returns what the server listens with.
    ///
    /// @throws Exception if its keys cannot be made or read
    protected ListenerSpec listener() throws Exception {
        return new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /// Sets what else the server needs.
    protected void prepare(Serval.Builder builder) {}

    /// Returns the users whom the suite expects.
    private static UserStore users() {
        UserStore.Builder users = UserStore.inMemory();
        for (SuiteUser user : SuiteUser.all()) {
            users.user(user.name(), user.password(), user.roles().toArray(String[]::new));
        }
        return users.build();
    }

    @Override
    public void deploy(Path war, String contextPath) throws IOException {
        apps.put(contextPath, WebApp.of(contextPath, war).deploy(container()));
        mount();
    }

    @Override
    public void undeploy(String contextPath) {
        @Nullable WebApp app = apps.remove(contextPath);
        if (app != null) {
            mount();
            app.close();
        }
    }

    private void mount() {
        RouteTable.Builder routes = RouteTable.builder();
        apps.values().forEach(app -> routes.mount(app.prefix(), app.handlers()));
        server().routes(routes.build());
    }

    @Override
    public void stop() throws Exception {
        server().stop(Duration.ZERO);
        container().close();
    }

    private ServletContainer container() {
        @Nullable ServletContainer present = container;
        if (present == null) {
            throw new IllegalStateException("The server was not started");
        }
        return present;
    }

    private Serval server() {
        @Nullable Serval present = server;
        if (present == null) {
            throw new IllegalStateException("The server was not started");
        }
        return present;
    }
}
