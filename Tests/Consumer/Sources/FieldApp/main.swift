import Foundation
import Segment
import VendorPlugin

// An app that says `import Segment`, with a vendor's plugin that does so, too.
let analytics = Analytics(
    configuration: Configuration(writeKey: "KEY")
        .autoAddSegmentDestination(false)
        .settingsTimeout(0)
        .storageMode(.memory(10))
        .cdnHost("http://127.0.0.1:1/v1"))
let vendor = VendorDestination()
analytics.add(plugin: vendor)
analytics.manuallyEnableDestination(plugin: vendor)
analytics.track(name: "Order Completed", properties: ["total": 42])
_ = await analytics.flush(timeout: 30)
// A flush waits for servers. A destination on the device has a queue of its own, which may be a moment behind.
let end = Date(timeIntervalSinceNow: 30)
while vendor.names.isEmpty, Date() < end { try await Task.sleep(nanoseconds: 10_000_000) }
guard vendor.names == ["Order Completed"] else {
    print("FieldApp: the vendor's destination got \(vendor.names)")
    exit(1)
}
print("FieldApp: a plugin that says `import Segment` got its event")
