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
/// @param leftOut the long tests, if they did not run: names of classes, or of a class and a test
record Reports(List<TestResult> tests, List<String> lost, List<String> leftOut) {
    private static final String FOLDER = "surefire-reports";
    private static final int DEPTH_MAX = 5;

    Reports {
        tests = List.copyOf(tests);
        lost = List.copyOf(lost);
        leftOut = List.copyOf(leftOut);
    }

    /// Reads the reports of every module below `root`.
    ///
    /// @param withoutLong whether the run left out the long tests
    static Reports read(Path root, boolean withoutLong) throws IOException {
        List<TestResult> tests = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
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
                for (Path test : testClasses(target.resolve("test-classes"))) {
                    List<String> omitted = withoutLong ? LeftOut.in(test) : List.of();
                    leftOut.addAll(omitted);
                    String type = type(target.resolve("test-classes"), test);
                    boolean whole = omitted.contains(type.substring(type.lastIndexOf('.') + 1));
                    if (!whole && !reported(reported, type) && concrete(test)) {
                        lost.add(module + ": " + type);
                    }
                }
            }
        }
        return new Reports(tests, lost, leftOut);
    }

    /// Deletes the reports of an earlier run, so that they are not counted.
    static void clear(Path root) throws IOException {
        for (Path target : targets(root)) {
            for (Path file : files(target.resolve(FOLDER), ".*")) {
                Files.delete(file);
            }
        }
    }

    private static List<Path> testClasses(Path classes) throws IOException {
        if (!Files.isDirectory(classes)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(classes)) {
            // These are Surefire's patterns (pom.xml); nested classes have a $ in their names.
            return all.filter(file -> name(file).matches("[^$]+(Test|Fuzz)\\.class"))
                    .sorted()
                    .toList();
        }
    }

    private static String type(Path classes, Path file) {
        String path = classes.relativize(file).toString();
        return path.substring(0, path.length() - ".class".length()).replace('/', '.');
    }

    private static boolean reported(Set<String> reports, String type) {
        return reports.stream().anyMatch(r -> r.equals(type) || r.startsWith(type + "$"));
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
