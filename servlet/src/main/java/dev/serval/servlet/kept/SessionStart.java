package dev.serval.servlet.kept;

import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.vault.AttributeCodec;
import dev.serval.servlet.vault.ClassRules;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.FileVaults;
import dev.serval.servlet.vault.JdbcVault;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.VaultLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/// Makes the store of an application's sessions by its plan. Used once, by the thread that deploys.
///
/// @param plan how sessions are kept
/// @param vaults the folders of sessions that this server owns
/// @param name of the application, which names its folder or its rows
/// @param loader of the application
/// @param temporary the application's folder for temporary files
/// @param log of the application
public record SessionStart(
        SessionPlan plan,
        FileVaults vaults,
        String name,
        ClassLoader loader,
        Path temporary,
        System.Logger log) {
    /// Returns the limits of the sessions.
    public SessionLimits limits() {
        SessionLimits byHeap = SessionLimits.stored(Runtime.getRuntime().maxMemory());
        return plan.idleMax() == 0 ? byHeap : byHeap.withIdleMax(plan.idleMax());
    }

    /// Opens the store.
    ///
    /// @param distributable whether the application says that sessions may move between servers
    /// @throws IOException if the folder or the database cannot be used
    public KeptSessions open(boolean distributable) throws IOException {
        VaultLimits limits = VaultLimits.STANDARD.withDiskMaxBytes(plan.diskMaxBytes());
        long now = InstantSource.system().millis();
        SessionVault vault =
                switch (plan.place()) {
                    case SessionPlan.Place.Temporary _ ->
                            FileVault.open(
                                    temporary.resolve("sessions"),
                                    new FileVault.Mode(/* survives */ false, /* syncs */ false),
                                    limits,
                                    log,
                                    now);
                    case SessionPlan.Place.Folder folder ->
                            vaults.open(
                                    folder.root().resolve(name.replace('/', '#')),
                                    new FileVault.Mode(/* survives */ true, plan.syncs()),
                                    limits,
                                    log,
                                    now);
                    case SessionPlan.Place.Table table ->
                            JdbcVault.open(table.source(), "/" + name, limits);
                };
        boolean survives = !(plan.place() instanceof SessionPlan.Place.Temporary);
        boolean saves = survives && (plan.savesRequests() || vault.isShared());
        ClassRules rules = new ClassRules(loader, plan.allowed());
        return new KeptSessions(
                new KeptSessions.Setup(
                        vault,
                        new AttributeCodec(loader, rules, limits),
                        survives,
                        saves,
                        survives && distributable));
    }
}
