package dev.serval;

import dev.serval.exchange.ExchangeLoop;
import dev.serval.net.NetLoop;

/// One event loop of a server: its sockets, and the state that its exchanges share.
record ServerLoop(NetLoop net, ExchangeLoop exchanges) {}
