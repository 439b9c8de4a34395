/// The messages of the Open Settlement Protocol (ETSI TS 101 321): read from XML, written as text.
///
/// Entry types: [dev.serval.examples.osp.message.MessageReader] and
/// [dev.serval.examples.osp.message.AnswerWriter]. Both are safe for several threads. The package
/// uses only the JDK.
@NullMarked
package dev.serval.examples.osp.message;

import org.jspecify.annotations.NullMarked;
