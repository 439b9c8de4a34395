/// What all codecs share, below the types that applications see: the character classes of bytes,
/// authorities, addresses and lists as text, the client that an address belongs to, names without regard
/// to their spelling, and the right to fill received messages. No API: only the engine and its modules
/// see this package.
///
/// Entry types: [dev.serval.codec.ByteRules] and [dev.serval.codec.CodecKey]. Owner thread: any.
/// Source: RFC 9110 and RFC 3986. Uses no other package.
@NullMarked
package dev.serval.codec;

import org.jspecify.annotations.NullMarked;
