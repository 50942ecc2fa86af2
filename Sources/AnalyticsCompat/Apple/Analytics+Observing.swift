extension Analytics {
    /// Begins to watch what the configuration asks for, where the system has it.
    func startObserving(_ configuration: AnalyticsConfiguration) {
        #if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
        if configuration.recordScreenViews { ScreenRecorder.record(for: self) }
        #endif
        #if canImport(StoreKit) && canImport(ObjectiveC) && !os(watchOS)
        if configuration.trackInAppPurchases { PurchaseObservers.observe(for: self) }
        #endif
    }
}
