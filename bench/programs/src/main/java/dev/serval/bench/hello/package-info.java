/// Provides the server that scenario `workers` measures: the engine with a handler that says hello
/// on one of several executors, and with application code that keeps its carrier.
///
/// Entry type: [dev.serval.bench.hello.HelloServer], a program with its own `main`. Owner thread:
/// the main thread starts it, and the engine calls the handlers. Depends only on the engine.
@NullMarked
package dev.serval.bench.hello;

import org.jspecify.annotations.NullMarked;
