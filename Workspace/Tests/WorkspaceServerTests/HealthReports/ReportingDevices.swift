import TributaryJSON
import WorkspaceCore

/// Devices that send health reports to a workspace under test; the test sets the chances of faults.
struct ReportingDevices: Sendable {
    struct Behaviour: Sendable {
        /// The counts are of a hundred events.
        var faulty = 0
        var dropped = 2
        var microseconds = 300
    }

    let client: TestClient
    private(set) var number = 0

    init(client: TestClient) { self.client = client }

    /// Each device reports a hundred events once: devices of the version, and as many of the version before.
    mutating func report(_ count: Int, version: Int, _ behaviour: Behaviour = Behaviour(), before: Int? = 1)
        async throws
    {
        number += 1
        // Many devices report at a time.
        try await withThrowingTaskGroup(of: Void.self) { [self] group in
            for device in 0..<count {
                group.addTask {
                    if let before { try await send("old-\(device)", before, Behaviour()) }
                    try await send("new-\(device)", version, behaviour)
                }
            }
            try await group.waitForAll()
        }
    }

    /// One report.
    func send(_ instance: String, _ version: Int, _ behaviour: Behaviour) async throws {
        let events = 100
        func json(_ number: Int) -> JSON { .number(number) }
        _ = try await client.post(
            "/v1/health-reports",
            [
                "writeKey": "WK", "instanceId": .string(instance), "number": json(number),
                "versions": [
                    [
                        "version": .string("\(version)"), "events": json(events), "faulty": json(behaviour.faulty),
                        "dropped": json(behaviour.dropped), "microseconds": json(events * behaviour.microseconds),
                    ]
                ],
            ])
    }
}
