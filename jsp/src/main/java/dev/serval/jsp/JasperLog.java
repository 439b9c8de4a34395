package dev.serval.jsp;

import java.lang.System.Logger.Level;
import org.apache.juli.logging.Log;

/// Sends what Jasper logs to System.Logger. Jasper finds it as a service. Any thread.
///
/// What Jasper tells about its own start is logged as DEBUG: it does not concern the application.
public final class JasperLog implements Log {
    /// Warns of schemas that only validation needs, which is off.
    private static final String SCHEMAS = "org.apache.tomcat.util.descriptor.DigesterFactory";

    private final System.Logger logger;
    private final Level warnings;

    /// Creates the object by which Jasper finds the class.
    public JasperLog() {
        this(JasperLog.class.getName());
    }

    /// Creates the log of one class.
    public JasperLog(String name) {
        logger = System.getLogger(name);
        warnings = name.equals(SCHEMAS) ? Level.DEBUG : Level.WARNING;
    }

    private void log(Level level, Object message) {
        logger.log(level, String.valueOf(message));
    }

    private void log(Level level, Object message, Throwable thrown) {
        logger.log(level, String.valueOf(message), thrown);
    }

    @Override
    public boolean isDebugEnabled() {
        return logger.isLoggable(Level.DEBUG);
    }

    @Override
    public boolean isErrorEnabled() {
        return logger.isLoggable(Level.ERROR);
    }

    @Override
    public boolean isFatalEnabled() {
        return logger.isLoggable(Level.ERROR);
    }

    @Override
    public boolean isInfoEnabled() {
        return logger.isLoggable(Level.DEBUG);
    }

    @Override
    public boolean isTraceEnabled() {
        return logger.isLoggable(Level.TRACE);
    }

    @Override
    public boolean isWarnEnabled() {
        return logger.isLoggable(warnings);
    }

    @Override
    public void trace(Object message) {
        log(Level.TRACE, message);
    }

    @Override
    public void trace(Object message, Throwable thrown) {
        log(Level.TRACE, message, thrown);
    }

    @Override
    public void debug(Object message) {
        log(Level.DEBUG, message);
    }

    @Override
    public void debug(Object message, Throwable thrown) {
        log(Level.DEBUG, message, thrown);
    }

    @Override
    public void info(Object message) {
        log(Level.DEBUG, message);
    }

    @Override
    public void info(Object message, Throwable thrown) {
        log(Level.DEBUG, message, thrown);
    }

    @Override
    public void warn(Object message) {
        log(warnings, message);
    }

    @Override
    public void warn(Object message, Throwable thrown) {
        log(warnings, message, thrown);
    }

    @Override
    public void error(Object message) {
        log(Level.ERROR, message);
    }

    @Override
    public void error(Object message, Throwable thrown) {
        log(Level.ERROR, message, thrown);
    }

    @Override
    public void fatal(Object message) {
        log(Level.ERROR, message);
    }

    @Override
    public void fatal(Object message, Throwable thrown) {
        log(Level.ERROR, message, thrown);
    }
}
