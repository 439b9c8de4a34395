package dev.serval.testkit.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/// Reads one JUnit XML report as a stream, because it also has everything that the tests printed.
/// Used once, by one thread.
final class ReportFile extends DefaultHandler {
    private static final String ASSUMPTION = "Assumption failed: ";

    private final String module;
    private final List<TestResult> results = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private String className = "";
    private String test = "";
    private String summary = "";
    private boolean collects;
    private TestResult.Outcome outcome = new TestResult.Outcome.Passed();

    private ReportFile(String module) {
        this.module = module;
    }

    /// Reads the tests of a file.
    ///
    /// @param module the folder of the module that the tests belong to
    /// @throws IOException if the file cannot be read or is not a complete XML document
    static List<TestResult> read(Path file, String module) throws IOException {
        ReportFile report = new ReportFile(module);
        try (var in = Files.newInputStream(file)) {
            SAXParser parser = SAXParserFactory.newDefaultInstance().newSAXParser();
            parser.parse(in, report);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IOException(file + " is not a JUnit report: " + e.getMessage(), e);
        }
        return report.results;
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) {
        switch (name) {
            case "testcase" -> {
                className = value(attributes, "classname");
                test = value(attributes, "name");
                outcome = new TestResult.Outcome.Passed();
            }
            case "skipped", "failure", "error" -> {
                summary = value(attributes, "message");
                collects = true;
                text.setLength(0);
            }
            default -> {
                // Ignores the printed output and the system properties.
            }
        }
    }

    @Override
    public void characters(char[] characters, int from, int length) {
        if (collects) {
            text.append(characters, from, length);
        }
    }

    @Override
    public void endElement(String uri, String local, String name) {
        switch (name) {
            case "skipped" -> {
                collects = false;
                outcome = new TestResult.Outcome.Skipped(reason());
            }
            case "failure", "error" -> {
                collects = false;
                String trace = text.toString().strip();
                outcome = new TestResult.Outcome.Failed(trace.isEmpty() ? summary : trace);
            }
            case "testcase" -> {
                // A fault of the whole class has the class name, or no name, as its method.
                String method = test.equals(className) ? "" : test;
                results.add(new TestResult(module, className, method, outcome));
            }
            default -> {
                // See startElement.
            }
        }
    }

    /// Returns the reason of a skip. `@Disabled` writes it to an attribute. An assumption's reason
    /// is an exception message and is only in the trace.
    private String reason() {
        String message = text.toString().split("\n\\s*at ", 2)[0].strip();
        String reason = summary.isEmpty() ? message : summary;
        int assumption = reason.indexOf(ASSUMPTION);
        return assumption < 0 ? reason : reason.substring(assumption + ASSUMPTION.length());
    }

    private static String value(Attributes attributes, String name) {
        String value = attributes.getValue(name);
        return value == null ? "" : value;
    }
}
