package dev.serval.servlet.loader;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/// Deregisters the drivers of the loader that defines this class, and returns their names. A copy
/// of this class is defined in each application's loader, so it uses only the JDK.
public final class DriverSweep implements Supplier<List<String>> {
    @Override
    public List<String> get() {
        List<String> names = new ArrayList<>();
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            Class<?> type = driver.getClass();
            if (DriverSweep.class.getClassLoader().equals(type.getClassLoader())) {
                try {
                    DriverManager.deregisterDriver(driver);
                    names.add(type.getName());
                } catch (SQLException | RuntimeException e) { // the driver's own action may throw
                    names.add(type.getName() + " (not removed: " + e.getMessage() + ")");
                }
            }
        }
        return names;
    }
}
