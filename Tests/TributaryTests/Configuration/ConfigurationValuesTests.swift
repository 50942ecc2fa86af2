import Testing
// The import is not @testable, so that the test has only the names that an app has.
import Tributary

@Suite("The values of a configuration")
struct ConfigurationValuesTests {
    @Test("Configured values can be read back, and so can the defaults of the others")
    func readBack() {
        let configuration = Configuration(writeKey: "KEY").apiHost("analytics.test/v1").flushAt(0).flushInterval(10)
            .storageMode(.memory(10)).consent(.pending).operatingMode(.synchronous)
            .setTrackedApplicationLifecycleEvents(.none).uploadsInBackground(true)
        let values = configuration.values
        #expect(values.writeKey == "KEY")
        #expect(values.apiHost == "analytics.test/v1")
        #expect(values.flushAt == 1)  // never less
        #expect(values.flushInterval == 10)
        #expect(values.consent == .pending)
        #expect(values.operatingMode == .synchronous)
        #expect(values.trackedLifecycleEvents == .none)
        #expect(values.uploadsInBackground)
        #expect(values.cdnHost == "cdn-settings.segment.com/v1")
        #expect(values.settingsTimeout == 10)
        #expect(values.gzip)
        guard case .memory(10) = values.storageMode else {
            Issue.record("\(values.storageMode)")
            return
        }
    }
}
