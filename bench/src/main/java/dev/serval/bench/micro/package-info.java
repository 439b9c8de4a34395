/// Micro benchmarks (JMH): one class for each device on a hot path that has to pay for itself. Entry
/// point: JMH's own `org.openjdk.jmh.Main`. Depends on the package under test and nothing else.
@NullMarked
package dev.serval.bench.micro;

import org.jspecify.annotations.NullMarked;
