import Foundation
import Tributary

/// The first client on a folder after the power came back: what it knows, and what a server gets from it.
struct NextLaunch {
    let folder: String
    let consent: String
    /// The setting of the recorded client.
    let durability: Durability
    /// Seconds that the delivery may take.
    let patience: TimeInterval

    /// A line of JSON.
    func run() async -> String {
        let server = MemoryServer()
        let diagnostics = LockBox<[String]>([])
        let first = ConsentState(rawValue: consent) ?? .granted
        let configuration = Configuration(writeKey: "KEY").storageMode(.diskAtURL(URL(fileURLWithPath: folder)))
            .apiHost("http://127.0.0.1:1/v1").cdnHost("http://127.0.0.1:1/v1").transport(server).gzip(false)
            .migration(.off).consent(first).durability(durability)
        let analytics = Analytics(configuration: configuration)
        analytics.observeDiagnostics { diagnostic in diagnostics.withLock { $0.append("\(diagnostic)") } }
        let (found, user, anonymous) = (analytics.consent, analytics.userId, analytics.anonymousId)
        // What still waits for a decision would never come.
        if found == .pending {
            await withCheckedContinuation { done in analytics.setConsent(.granted) { done.resume() } }
        }
        let result = await analytics.flush(timeout: patience)
        let state = analytics.storageState
        await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
        let answer: JSON = [
            "consent": .string(found.rawValue), "user": user.map { .string($0) } ?? .null,
            "anonymous": .string(anonymous), "isSent": .bool(!result.isWaiting), "isLate": .bool(result.isLate),
            "isLasting": .bool(state.survivesProcess), "events": .array(server.events),
            "diagnostics": .array(diagnostics.withLock { $0 }.map { .string($0) }),
        ]
        return String(decoding: answer.encoded(), as: UTF8.self)
    }
}

extension FlushResult {
    /// Whether events still wait. What a power cut damaged is dropped.
    fileprivate var isWaiting: Bool {
        switch self {
        case .sent, .dropped: false
        case .partly, .timedOut: true
        }
    }

    /// The time was over before the delivery was.
    fileprivate var isLate: Bool {
        if case .timedOut = self { true } else { false }
    }
}
