/// What the OSP server decides about calls: routes and rates, tokens, authorisations in progress,
/// and which messages are repetitions.
///
/// Entry type: [dev.serval.examples.osp.call.CallService]. All types are safe for several threads;
/// the route table and the tokens are immutable. The package uses `message` and `record`, and
/// Bouncy Castle for signed tokens.
@NullMarked
package dev.serval.examples.osp.call;

import org.jspecify.annotations.NullMarked;
