package org.apache.commons.collections.functors;

import java.io.ObjectInputStream;
import java.io.Serializable;

/// Has the name of a class that attackers use, and tells whether it ran.
public final class Gadget implements Serializable {
    private static final long serialVersionUID = 1;

    /// Whether reading has run code.
    public static volatile boolean ran;

    private void readObject(ObjectInputStream in) {
        ran = true;
    }
}
