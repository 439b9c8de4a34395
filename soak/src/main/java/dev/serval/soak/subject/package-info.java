/// What the soaks share: the WAR that a server runs, requests with their right answers, and what is
/// read from the server's process and its logs.
///
/// Entry types: [dev.serval.soak.subject.SoakWar] packs package `war`,
/// [dev.serval.soak.subject.SoakRequest] makes requests to it, and [dev.serval.soak.subject.Remains]
/// reads what a resting server holds. Owner threads: each object has one. Depends on package `peer`
/// of bench.
@NullMarked
package dev.serval.soak.subject;

import org.jspecify.annotations.NullMarked;
