package dev.serval.examples.shop;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens the shop when the application starts and closes it when it ends. A setting is a system
/// property such as `shop.books`, a variable of the environment such as `SHOP_BOOKS`, or a parameter
/// of the application, in this order.
public final class ShopStart implements ServletContextListener {
    private static final String BIND_ADDRESS = "h2.bindAddress";

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        // H2 would serve the next version of the application to the whole network otherwise.
        if (System.getProperty(BIND_ADDRESS) == null) {
            System.setProperty(BIND_ADDRESS, "127.0.0.1");
        }
        Settings settings = Settings.read(name -> setting(context, name));
        Shop shop = Shop.open(settings);
        context.setAttribute(Shop.ATTRIBUTE, shop);
        context.log(
                (shop.isFilled() ? "The shop has a new database of " : "The shop has ")
                        + shop.books()
                        + " books.");
    }

    private static @Nullable String setting(ServletContext context, String name) {
        String property = System.getProperty(name);
        if (property != null) {
            return property;
        }
        String variable = System.getenv(Settings.environmentName(name));
        return variable != null ? variable : context.getInitParameter(name);
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        try {
            if (context.getAttribute(Shop.ATTRIBUTE) instanceof Shop shop) {
                shop.close();
            }
        } finally {
            forgetDrivers(context);
        }
    }

    /// Deregisters the application's JDBC drivers, by which the JDK would keep its classes.
    private static void forgetDrivers(ServletContext context) {
        ClassLoader own = ShopStart.class.getClassLoader();
        List<Driver> drivers =
                DriverManager.drivers()
                        .filter(each -> own.equals(each.getClass().getClassLoader()))
                        .toList();
        for (Driver each : drivers) {
            try {
                DriverManager.deregisterDriver(each);
            } catch (SQLException e) {
                context.log("A JDBC driver stays registered", e);
            }
        }
    }
}
