package import Foundation
import Tributary

/// Health reports in tests.
extension Client {
    /// Tracks a number of events, and waits until they have gone through the timeline.
    package func track(_ count: Int) async {
        analytics.identify(userId: "u-1")
        for number in 1..<max(count, 1) { analytics.track(name: "Event \(number)", properties: ["secret": "secret"]) }
        await processed()
    }

    /// The client has looked for settings after that time, and has sent the report that was due.
    package func looked(after seconds: TimeInterval) async {
        // The time of a report counts from the first look, which settings cause: it must not come after the clock moved.
        await reportedHealth()
        time.advance(by: seconds)
        await withCheckedContinuation { done in analytics.refreshSettings { done.resume() } }
        await reportedHealth()
    }

    /// Waits until the reports that were due were sent.
    package func reportedHealth() async {
        await executed()
        await withCheckedContinuation { done in analytics.afterHealthLooks { done.resume() } }
    }
}
