extension Analytics {
    /// Begins to observe screens and purchases as configured, on systems that have them.
    func startObserving(_ configuration: AnalyticsConfiguration) {
        #if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
        if configuration.recordScreenViews { ScreenRecorder.record(for: self) }
        #endif
        #if canImport(StoreKit) && canImport(ObjectiveC) && !os(watchOS)
        if configuration.trackInAppPurchases { PurchaseObservers.observe(for: self) }
        #endif
    }
}
