package dev.serval.servlet.parameter;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;

/// Measures the cost of parsing: run it by hand, `java … ParametersCost`. Prints the microseconds
/// of the fastest round for 1,000 parameters, all read, and for a form of 500 bytes.
final class ParametersCost {
    private static final int ROUNDS = 1000;
    private static final int CALLS = 30;

    private ParametersCost() {}

    /// Runs the measurement.
    public static void main(String[] args) {
        HashKey key = HashKey.of(new Random(1));
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            many.append(i == 0 ? "" : "&").append("param").append(i).append("=value").append(i);
        }
        StringBuilder form = new StringBuilder();
        for (int i = 0; form.length() < 500; i++) {
            form.append(i == 0 ? "" : "&")
                    .append("field")
                    .append(i)
                    .append("=Some+text%2C+")
                    .append(i);
        }
        measure("1,000 parameters, one read", key, many.toString(), 1);
        measure("1,000 parameters, all read", key, many.toString(), 1000);
        measure("1,000 parameters, map", key, many.toString(), -1);
        measure("form of 500 bytes, all read", key, form.toString(), 1000);
    }

    private static void measure(String what, HashKey key, String text, int reads) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        String[] names = new String[1000];
        for (int i = 0; i < names.length; i++) {
            names[i] = (text.startsWith("param") ? "param" : "field") + i;
        }
        long fastest = Long.MAX_VALUE;
        long found = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int call = 0; call < CALLS; call++) {
                Parameters parameters = new Parameters(ParameterLimits.DEFAULT, key);
                parameters.addForm(bytes, 0, bytes.length, StandardCharsets.UTF_8);
                for (int i = 0; i < Math.min(reads, parameters.size()); i++) {
                    found += parameters.first(names[i]) == null ? 0 : 1;
                }
                if (reads < 0) {
                    for (Map.Entry<String, String[]> entry : parameters.map().entrySet()) {
                        found += entry.getKey().length() + entry.getValue()[0].length();
                    }
                }
            }
            fastest = Math.min(fastest, System.nanoTime() - start);
        }
        System.out.printf("%s: %.1f µs (%d)%n", what, fastest / 1e3 / CALLS, found);
    }
}
