import WorkspaceCore
import WorkspaceServer

/// The parts of a request that go to different partitions of the log. All events of a device stay in one partition, in
/// order.
struct RequestParts {
    struct Part: Sendable, Equatable {
        let partition: Int
        let request: AcceptedRequest
        /// The most rows that the part makes.
        let rows: Int
    }

    /// - Parameter plain: the body, inflated.
    /// - Returns: at least one part, in the order of partitions. A request of one device is one part with its body unchanged.
    static func of(
        _ request: AcceptedRequest, plain: [UInt8], partitions: Int
    ) throws(Refusal) -> [Part] {
        try plain.withUnsafeBufferPointer { bytes throws(Refusal) in
            let members = request.form == .batch ? RequestScan.deviceMembers : []
            let scan = try RequestScan(bytes, request.form, members: members)
            let groups = groups(scan, request, partitions)
            guard groups.count > 1 else {
                let partition = groups.first?.partition ?? 0
                return [Part(partition: partition, request: request, rows: max(1, scan.items.count))]
            }
            return groups.map { partition, items in
                let part = AcceptedRequest(
                    form: request.form, isCompressed: false, source: request.source, receivedAt: request.receivedAt,
                    uploadedAt: request.uploadedAt, address: request.address,
                    asksForPrivacy: request.asksForPrivacy, countries: request.countries?.of(items),
                    body: scan.body(request.form, items: items))
                return Part(partition: partition, request: part, rows: items.count)
            }
        }
    }

    /// Items without an id of a device go with the first item that has one.
    private static func groups(
        _ scan: RequestScan, _ request: AcceptedRequest, _ partitions: Int
    ) -> [(partition: Int, items: [Int])] {
        let devices = scan.devices(request.form)
        let other = devices.lazy.compactMap { $0 }.first ?? ""
        var groups: [Int: [Int]] = [:]
        for (index, device) in devices.enumerated() {
            let partition = ClusterRecord.partition(
                source: request.source, device: device ?? other, of: partitions)
            groups[partition, default: []].append(index)
        }
        return groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
