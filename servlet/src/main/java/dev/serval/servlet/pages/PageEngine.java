package dev.serval.servlet.pages;

/// Compiles and runs the JSP pages of applications. Give one to
/// `ServletContainer.Builder.pages`. Without an engine, a request for a page is answered with 501.
/// Any thread may call it.
public interface PageEngine {
    /// Returns the classes of the engine that applications and their pages need.
    SharedCode shared();

    /// Opens the pages of an application before its code runs. This should be fast for an
    /// application without pages.
    ///
    /// @throws PageException if a tag library is wrong; the message begins with its place
    AppPages open(PageSetup app) throws PageException;
}
