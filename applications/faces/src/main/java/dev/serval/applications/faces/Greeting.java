package dev.serval.applications.faces;

import jakarta.enterprise.context.SessionScoped;
import jakarta.inject.Named;
import java.io.Serializable;

/// The state of the page, one for each session.
@Named
@SessionScoped
public class Greeting implements Serializable {
    private static final long serialVersionUID = 1;

    private String name = "";
    private int count;

    /// Creates the state. CDI calls it.
    public Greeting() {}

    /// Returns who is greeted.
    public String getName() {
        return name;
    }

    /// Sets who is greeted.
    public void setName(String to) {
        name = to;
    }

    /// Returns how often the button was used.
    public int getCount() {
        return count;
    }

    /// Counts a use of the button.
    public void greet() {
        count++;
    }
}
