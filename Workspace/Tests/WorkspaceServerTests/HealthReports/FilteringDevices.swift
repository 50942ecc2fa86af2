import TributaryJSON
import WorkspaceCore

/// Devices that report what filters do with the events of two destinations.
struct FilteringDevices: Sendable {
    struct Behaviour: Sendable {
        /// The counts are of a hundred events for each destination.
        var dropped = 2
        var droppedForPartner: Int?
        var faulty = 0
        var problems = 0
    }

    /// The devices of device-0 to device-19 that have version 7 at 30 %; the client's tests have the same list.
    static let golden = [2, 3, 10, 16, 17, 18, 19]

    let client: TestClient
    var name = ""
    private(set) var number = 0

    init(client: TestClient, name: String = "") { (self.client, self.name) = (client, name) }

    /// Each device reports once: the devices of the version, and as many devices of the version before.
    /// - Parameter bundle: the version of live plugins that they name.
    mutating func report(
        _ count: Int, version: Int, _ behaviour: Behaviour = Behaviour(), before: Int? = 1, bundle: Int? = nil
    ) async throws {
        number += 1
        let suffix = "\(name)-\(bundle ?? 0)"
        try await withThrowingTaskGroup(of: Void.self) { [self] group in
            for device in 0..<count {
                group.addTask {
                    if let before { try await send("old-\(device)\(suffix)", before, Behaviour(), bundle) }
                    try await send("new-\(device)\(suffix)", version, behaviour, bundle)
                }
            }
            try await group.waitForAll()
        }
    }

    private func send(_ instance: String, _ version: Int, _ behaviour: Behaviour, _ bundle: Int?) async throws {
        func json(_ number: Int) -> JSON { .number(number) }
        func destination(_ key: String, _ dropped: Int) -> JSON {
            ["key": .string(key), "events": 100, "dropped": json(dropped), "faulty": json(behaviour.faulty)]
        }
        var report: JSON = [
            "writeKey": "WK", "instanceId": .string(instance), "number": json(number),
            "filters": [
                [
                    "version": .string("\(version)"), "problems": json(behaviour.problems),
                    "destinations": [
                        destination("Segment.io", behaviour.dropped),
                        destination("Partner", behaviour.droppedForPartner ?? behaviour.dropped),
                    ],
                ]
            ],
        ]
        if let bundle { report["versions"] = [["version": .string("\(bundle)"), "events": 100]] }
        _ = try await client.post("/v1/health-reports", report)
    }
}
