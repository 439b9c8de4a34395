package dev.serval.jsp;

/// The limits of the JSP engine. Immutable.
///
/// @param tldMaxBytes of one tag library descriptor
/// @param tldsMax tag library descriptors of one application
/// @param storeMaxBytes of compiled pages of all applications; those not used for longest are
///     deleted
/// @param storesMax applications with compiled pages
record PageLimits(int tldMaxBytes, int tldsMax, long storeMaxBytes, int storesMax) {
    /// 8 MiB, 2,000 descriptors, 1 GiB, 64 applications.
    static final PageLimits DEFAULT = new PageLimits(8 << 20, 2_000, 1L << 30, 64);
}
