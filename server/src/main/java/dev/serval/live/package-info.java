/// The live page of the administration listener: what the server does now and has done in the last ten
/// minutes, the last hour and the last day.
///
/// A [dev.serval.live.Sampler] reads the counters once a second. It makes a [dev.serval.live.Moment] of
/// each period of each [dev.serval.live.Span], and adds it to a [dev.serval.live.History] of fixed size. A [dev.serval.live.Board] has all that the page shows, as
/// tiles, charts and tables of text. [dev.serval.live.HtmlBoard] writes it as a page that works without
/// scripts, and [dev.serval.live.JsonBoard] for the script that keeps the page up to date. One thread
/// samples; Workers write. Depends on the packages whose figures it reads.
@NullMarked
package dev.serval.live;

import org.jspecify.annotations.NullMarked;
