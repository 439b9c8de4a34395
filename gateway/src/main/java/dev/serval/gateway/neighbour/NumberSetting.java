package dev.serval.gateway.neighbour;

/// A setting that is a number. Immutable.
///
/// @param name as the option of an address is called
record NumberSetting(String name, int least, int most) {
    static final NumberSetting CONNECTIONS = new NumberSetting("connections", 1, 10_000);
    static final NumberSetting QUEUE = new NumberSetting("queue", 1, 100_000);
    static final NumberSetting INTERIMS = new NumberSetting("interims", 0, 10_000);

    /// Reads a text.
    ///
    /// @return a number that is in the range; the least one if a problem was added
    int read(String text, Problems problems) {
        int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : least - 1;
        if (number < least || number > most) {
            refuse(text, problems);
            return least;
        }
        return number;
    }

    /// Adds a problem if a number is not in the range.
    void check(int number, Problems problems) {
        if (number < least || number > most) {
            refuse(Integer.toString(number), problems);
        }
    }

    private void refuse(String text, Problems problems) {
        problems.add(
                name,
                name + " takes a number from " + least + " to " + most + ", not " + text + ".");
    }
}
