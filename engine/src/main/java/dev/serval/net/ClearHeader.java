package dev.serval.net;

import java.net.SocketAddress;
import java.nio.ByteBuffer;

/// What precedes the encrypted bytes of a connection: a header in clear, which its first driver has
/// read, such as that of a proxy. Used on the connection's loop, within one call.
///
/// @param client the address that the header states, or that of the connection's peer
/// @param acceptedNanos when the connection was accepted
/// @param rest bytes that were read after the header
public record ClearHeader(SocketAddress client, long acceptedNanos, ByteBuffer rest) {}
