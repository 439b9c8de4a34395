package dev.serval.examples.servlet;

import dev.serval.Serval;
import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.WebApp;
import java.io.IOException;
import java.nio.file.Path;

/// Serves a WAR, or a folder that has WEB-INF, at the path that its name decides.
public final class MountedWar {
    private MountedWar() {}

    static Serval start(int port, ServletContainer container, Path war) throws IOException {
        WebApp app = WebApp.of(war).deploy(container);
        return Serval.listen(port).mount(app.prefix(), app.handlers()).start();
    }
}
