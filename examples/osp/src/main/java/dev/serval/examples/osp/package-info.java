/// An example: a server for the Open Settlement Protocol (ETSI TS 101 321) that dials in to a web
/// server by LRWP. It authorises calls, signs tokens and stores call detail records.
///
/// Entry types: `OspMain` on the command line, [dev.serval.examples.osp.OspServer] in a program.
/// Requests arrive on the virtual threads of the LRWP peer. The package uses `message`, `call` and
/// `record`, and the LRWP peer library.
@NullMarked
package dev.serval.examples.osp;

import org.jspecify.annotations.NullMarked;
