/// The server that scenario `workers` measures: the engine with a handler that says hello in one of
/// several places, and with application code that keeps what carries it.
///
/// Entry type: [dev.serval.bench.hello.HelloServer], a program of its own. Owner thread: the main
/// thread starts it; handlers are called by the engine. Depends on the engine alone.
@NullMarked
package dev.serval.bench.hello;

import org.jspecify.annotations.NullMarked;
