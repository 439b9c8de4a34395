package dev.serval.examples.shop.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The fields of a form: reads them, and collects what is wrong with them. Used by one request.
final class Fields {
    private final HttpServletRequest request;
    private final Map<String, String> errors = new LinkedHashMap<>();

    Fields(HttpServletRequest request) {
        this.request = request;
    }

    /// Returns a field without surrounding blanks, or an empty text if it is missing. Control
    /// characters become blanks.
    static String text(HttpServletRequest request, String name) {
        String value = request.getParameter(name);
        return value == null ? "" : value.replaceAll("\\p{Cntrl}", " ").strip();
    }

    /// Returns the number of a field, or -1 if it has none.
    static int number(HttpServletRequest request, String name) {
        String value = text(request, name);
        return value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : -1;
    }

    /// Reads a field that must have a text.
    ///
    /// @param max its letters at most
    String required(String name, int max) {
        String value = text(request, name);
        if (value.isEmpty()) {
            wrong(name, "Please fill this in.");
        } else if (value.length() > max) {
            wrong(name, "Please use at most " + max + " letters.");
        }
        return value;
    }

    /// Returns a password, with all its characters.
    String password(String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }

    /// Notes what is wrong with a field. The first note counts.
    void wrong(String name, String message) {
        errors.putIfAbsent(name, message);
    }

    /// Returns the notes by the names of the fields, in the order of the form.
    Map<String, String> errors() {
        return errors;
    }

    boolean areRight() {
        return errors.isEmpty();
    }
}
