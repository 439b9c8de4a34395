package dev.serval.bench.lrwp;

import dev.serval.bench.bare.EchoPeer;
import dev.serval.bench.load.Client;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.RampRun;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.util.List;

/// Offers rising rates of new connections to the server, which passes each request to the echo. The
/// rates in `ramp.json` are those of the static page in scenario `httperf`. The server has a CPU
/// alone; the peer and the client share another.
record EchoRamp(Bench bench, LrwpPrograms programs, Numbers numbers) {
    private static final int CONNECTIONS = 60;
    private static final int CONTENT_BYTES = 1024;
    private static final String SUBJECT = "serval";

    /// Measures the cell.
    RampResult run(LrwpCell cell) throws IOException {
        Request request =
                new Request(
                        "/" + EchoPeer.NAME, Request.Body.JSON, CONTENT_BYTES, Request.Answer.ECHO);
        return new RampRun(bench, ramp())
                .run(
                        SUBJECT,
                        List.of(new RampRun.Entry(SUBJECT, () -> start(cell))),
                        port -> new Client.Target(port, request.page(), request));
    }

    private RunningPeer start(LrwpCell cell) throws IOException {
        Cpus cpus = bench.stage().cpus();
        Trial trial =
                Trial.start(
                        bench,
                        cell,
                        programs,
                        cpus,
                        port -> cpus.onClient(LrwpPrograms.echo(port, CONNECTIONS)));
        try {
            trial.await(EchoRun.echo(numbers));
        } catch (IOException | RuntimeException e) {
            trial.close();
            throw e;
        }
        return trial.running(SUBJECT);
    }

    static Cell.Ramp ramp() {
        return Scenario.JSON.readValue(
                Resources.bytes(EchoRamp.class, "ramp.json"), Cell.Ramp.class);
    }
}
