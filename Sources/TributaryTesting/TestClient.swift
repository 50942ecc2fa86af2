public import Tributary

/// A client for an app's own tests: the real one, in memory, with a server and a clock in the test's hands.
///
/// Nothing touches the network, the disk or other clients, and nothing takes real time. Hand ``analytics`` to the code
/// that is tested; ask afterwards what it said. Each question first lets everything that was tracked go through the
/// plugins.
///
/// ```swift
/// let client = TestClient()
/// Checkout(analytics: client.analytics).complete(order)
/// try await client.expectTracked("Order Completed", with: ["total": 42])
/// ```
public final class TestClient: Sendable {
    /// The client to hand to the code under test.
    public let analytics: Analytics
    /// What stands in for the server: confirms everything unless told otherwise.
    public let server: StubServer
    /// The client's clock: moves only when the test moves it.
    public let clock: ManualClock
    private let recorder: EventRecorder
    private let hasBegun = LockBox(false)

    /// A client on its own.
    /// - Parameters:
    ///   - writeKey: as the server would see it. Default: `TEST`.
    ///   - server: answers its requests. Default: a new one.
    ///   - clock: its time. Default: a new one.
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

    /// Events that a test may track before it asks for them.
    private static let capacity = 100_000

    /// Every event that went through the plugins so far, in order, as destinations saw it; dropped ones are not here.
    public func events() async -> RecordedEvents {
        await processed()
        return RecordedEvents(recorder.events)
    }

    /// Everything that was tracked so far has gone through the plugins.
    public func processed() async {
        begin()
        await withCheckedContinuation { continuation in analytics.afterProcessing { continuation.resume() } }
    }

    /// Everything that was tracked so far was offered to the server, once.
    public func flushed() async {
        begin()
        await withCheckedContinuation { continuation in analytics.flush { continuation.resume() } }
    }

    /// Ends the moment in which an app adds its plugins, once: otherwise time is the test's alone.
    private func begin() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        if isFirst { clock.advance(by: Self.startDelay) }
    }

    private static let startDelay = 0.1

    /// Forgets what was recorded, so that the next question is about what comes.
    public func forget() async {
        await processed()
        recorder.forget()
    }

    /// The client has ended.
    public func shutdown() async {
        await withCheckedContinuation { continuation in analytics.shutdown { continuation.resume() } }
    }
}
