public import Tributary

/// A client for an app's own tests: a real client in memory, whose server and clock the test controls.
///
/// It does not touch the network, the disk or other clients, and takes no real time. Pass ``analytics`` to the code
/// under test, and check afterwards what that code tracked. Each check first waits until all tracked events have gone
/// through the plugins.
///
/// ```swift
/// let client = TestClient()
/// client.analytics.track(name: "Order Completed", properties: ["total": 42])  // the code under test does this
/// try await client.expectTracked("Order Completed", with: ["total": 42])
/// ```
public final class TestClient: Sendable {
    /// The client for the code under test.
    public let analytics: Analytics
    /// The server of the client. It confirms everything by default.
    public let server: StubServer
    /// The clock of the client. It moves only when the test moves it.
    public let clock: ManualClock
    private let recorder: EventRecorder
    private let hasBegun = LockBox(false)

    /// A client on its own.
    /// - Parameters:
    ///   - writeKey: the write key. Default: `TEST`.
    ///   - server: answers the requests. Default: a new one.
    ///   - clock: the clock. Default: a new one.
    ///   - configure: changes the configuration before the client is made.
    public init(
        writeKey: String = "TEST", server: StubServer = StubServer(), clock: ManualClock = ManualClock(),
        configure: (Configuration) -> Void = { _ in }
    ) {
        let configuration = Configuration(writeKey: writeKey)
            .apiHost("http://server.test/v1").cdnHost("http://server.test/v1")
            .transport(server).timeSource(clock).gzip(false).migration(.off).storageMode(.memory(Self.capacity))
        configure(configuration)
        let recorder = EventRecorder()
        analytics = Analytics(configuration: configuration)
        analytics.add(plugin: RecordingPlugin(recorder))
        self.server = server
        self.clock = clock
        self.recorder = recorder
    }

    /// The number of events that a test may track before its first check.
    private static let capacity = 100_000

    /// Every event that has gone through the plugins so far, in order, as destinations got it. Dropped events are not
    /// included.
    public func events() async -> RecordedEvents {
        await processed()
        return RecordedEvents(recorder.events)
    }

    /// Waits until everything that was tracked so far has gone through the plugins.
    public func processed() async {
        begin()
        await withCheckedContinuation { continuation in analytics.afterProcessing { continuation.resume() } }
    }

    /// Waits until everything that was tracked so far was offered to the server once.
    public func flushed() async {
        begin()
        await withCheckedContinuation { continuation in analytics.flush { continuation.resume() } }
    }

    /// Ends, once, the moment in which an app adds its plugins. All other time is the test's.
    private func begin() {
        if !hasBegun.exchange(true) { clock.advance(by: Self.startDelay) }
    }

    private static let startDelay = 0.1

    /// Forgets the recorded events, so that the next check is about later events only.
    public func forget() async {
        await processed()
        recorder.forget()
    }

    /// Waits until the client has ended.
    public func shutdown() async {
        await withCheckedContinuation { continuation in analytics.shutdown { continuation.resume() } }
    }
}
