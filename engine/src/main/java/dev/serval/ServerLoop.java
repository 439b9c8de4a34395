package dev.serval;

import dev.serval.exchange.ExchangeLoop;
import dev.serval.net.NetLoop;

/// One event loop of a server: its sockets, and what the exchanges on it share.
record ServerLoop(NetLoop net, ExchangeLoop exchanges) {}
