package dev.serval.testkit.verify;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// All reports of the modules of a source tree. Immutable.
///
/// @param tests the result of each test
/// @param lost compiled test classes without a report, each with its module's folder before it.
///     Their JVM crashed, or they were never started
record Reports(List<TestResult> tests, List<String> lost) {
    private static final String FOLDER = "surefire-reports";
    private static final int DEPTH_MAX = 5;

    Reports {
        tests = List.copyOf(tests);
        lost = List.copyOf(lost);
    }

    /// Reads the reports of every module below `root`.
    static Reports read(Path root) throws IOException {
        List<TestResult> tests = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        for (Path target : targets(root)) {
            String module = root.relativize(target.resolveSibling("")).toString();
            Set<String> reported = new TreeSet<>();
            for (Path file : files(target.resolve(FOLDER), "TEST-.*\\.xml")) {
                tests.addAll(ReportFile.read(file, module));
                String name = file.getFileName().toString();
                reported.add(name.substring("TEST-".length(), name.length() - ".xml".length()));
            }
            // If this run did not reach a module, its classes are from an earlier run.
            if (!files(target.resolve(FOLDER), ".*").isEmpty()) {
                lost(target.resolve("test-classes"), reported)
                        .forEach(name -> lost.add(module + ": " + name));
            }
        }
        return new Reports(tests, lost);
    }

    /// Deletes the reports of an earlier run, so that they are not counted.
    static void clear(Path root) throws IOException {
        for (Path target : targets(root)) {
            for (Path file : files(target.resolve(FOLDER), ".*")) {
                Files.delete(file);
            }
        }
    }

    private static List<String> lost(Path classes, Set<String> reported) throws IOException {
        List<String> lost = new ArrayList<>();
        if (!Files.isDirectory(classes)) {
            return lost;
        }
        List<Path> tests;
        try (Stream<Path> all = Files.walk(classes)) {
            // These are Surefire's patterns (pom.xml); nested classes have a $ in their names.
            tests =
                    all.filter(file -> name(file).matches("[^$]+(Test|Fuzz)\\.class"))
                            .sorted()
                            .toList();
        }
        for (Path test : tests) {
            String path = classes.relativize(test).toString();
            String type = path.substring(0, path.length() - ".class".length()).replace('/', '.');
            boolean wrote =
                    reported.stream().anyMatch(r -> r.equals(type) || r.startsWith(type + "$"));
            if (!wrote && concrete(test)) {
                lost.add(type);
            }
        }
        return lost;
    }

    private static boolean concrete(Path file) throws IOException {
        ClassModel type = ClassFile.of().parse(file);
        return (type.flags().flagsMask() & (ClassFile.ACC_ABSTRACT | ClassFile.ACC_INTERFACE)) == 0;
    }

    private static List<Path> targets(Path root) throws IOException {
        try (Stream<Path> all = Files.find(root, DEPTH_MAX, (file, facts) -> facts.isDirectory())) {
            return all.filter(folder -> name(folder).equals("target"))
                    .filter(folder -> Files.exists(folder.resolveSibling("pom.xml")))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> files(Path folder, String pattern) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> Files.isRegularFile(file) && name(file).matches(pattern))
                    .sorted()
                    .toList();
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
