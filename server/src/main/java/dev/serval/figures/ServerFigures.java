package dev.serval.figures;

import dev.serval.command.Version;
import dev.serval.site.LiveSite;

/// The figures of a running server. Any thread that may wait for a second.
public final class ServerFigures {
    private final LiveSite site;

    /// Creates the figures of a server.
    public ServerFigures(LiveSite site) {
        this.site = site;
    }

    /// Reads all metrics, and returns them as text. A loop that does not answer within a second is left
    /// out.
    ///
    /// @throws InterruptedException if the caller is interrupted
    public String text(ExpositionFormat format) throws InterruptedException {
        Exposition to = new Exposition(format);
        to.add(Metric.BUILD, 1, Version.TEXT, System.getProperty("java.version", ""));
        EngineFigures.add(site.serval(), to);
        ApplicationFigures.add(site.applications(), to);
        BackendFigures.add(site.backends(), to);
        CertificateFigures.add(site.listening().certificates(), to);
        ProcessFigures.add(to);
        return to.text();
    }
}
