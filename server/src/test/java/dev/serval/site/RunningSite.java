package dev.serval.site;

import dev.serval.Serval;
import dev.serval.accesslog.LogChoice;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.settings.ListenerChoice;
import dev.serval.settings.LrwpChoice;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A server in this process whose configuration a test changes. Used by one thread.
record RunningSite(Serval serval, LiveSite site) {
    /// Starts a server with one loop.
    ///
    /// @param mounted what it serves
    static RunningSite start(
            RunOptions options,
            Applications apps,
            Map<Place, Mounted> mounted,
            Rules rules,
            SiteLogs logs)
            throws IOException {
        Listening listening = new Listening(List.of());
        List<ListenerChoice> choices = options.engine().listeners();
        Serval.Builder builder =
                Serval.builder()
                        .loops(1)
                        .withoutFlagWarning()
                        .accessLog(logs.named(LogChoice.SERVER));
        for (ListenerChoice choice : choices) {
            builder.listen(listening.spec(choice));
        }
        Backends backends = new Backends(LrwpChoice.NONE, List.of());
        Routes.compose(mounted, Set.of(), backends, rules, builder::host);
        Serval serval = builder.start();
        listening.started(choices, serval.addresses());
        return new RunningSite(
                serval,
                new LiveSite(
                        new LiveSite.Running(serval, apps, backends, listening, logs),
                        mounted,
                        rules,
                        null));
    }
}
