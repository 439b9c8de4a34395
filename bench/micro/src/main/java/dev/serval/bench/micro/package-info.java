/// Micro benchmarks (JMH), one class for each optimization of a hot path that must justify itself.
/// Entry point: JMH's `org.openjdk.jmh.Main`. Depends only on the package under test.
@NullMarked
package dev.serval.bench.micro;

import org.jspecify.annotations.NullMarked;
