package dev.serval.servlet.upgrade;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.WebConnection;

/// An upgraded connection as its handler sees it. Any thread.
final class UpgradedConnection implements WebConnection {
    private final UpgradeRun run;
    private final UpgradeInput input;
    private final UpgradeOutput output;

    UpgradedConnection(UpgradeRun run) {
        this.run = run;
        this.input = new UpgradeInput(run);
        this.output = new UpgradeOutput(run);
    }

    @Override
    public ServletInputStream getInputStream() {
        return input;
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return output;
    }

    /// Sends what was written, and closes the connection. The handler is destroyed after that.
    @Override
    public void close() {
        run.close();
    }
}
