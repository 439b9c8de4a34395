package dev.serval.lrwp.peer;

/// Where a peer dials in and how it behaves. Immutable.
///
/// @param agentHost the agent's name or address
/// @param agentPort the agent's port
/// @param connections the connections for each name
record PeerSettings(
        String agentHost,
        int agentPort,
        int connections,
        PeerLimits limits,
        Surroundings surroundings) {
    /// The most connections for one name.
    static final int CONNECTIONS_MAX = 10_000;

    /// Checks the settings.
    ///
    /// @throws IllegalArgumentException if one cannot be used
    PeerSettings {
        if (agentHost.isBlank()) {
            throw new IllegalArgumentException(
                    "the agent has no address: give a name or an address, such as 127.0.0.1");
        }
        if (agentPort < 1 || agentPort > 65_535) {
            throw new IllegalArgumentException(
                    "the agent's port is " + agentPort + ": it must be from 1 to 65535");
        }
        if (connections < 1 || connections > CONNECTIONS_MAX) {
            throw new IllegalArgumentException(
                    connections + " connections: there must be from 1 to " + CONNECTIONS_MAX);
        }
    }

    String agent() {
        return agentHost + ":" + agentPort;
    }
}
