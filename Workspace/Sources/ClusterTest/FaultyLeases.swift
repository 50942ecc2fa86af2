import WorkspaceCluster
import WorkspaceCore
import WorkspaceServer

/// Plants a fault in the steps that change the record of a partition. It leaves a third of a second between two steps,
/// so that a process is likely to be killed there.
struct FaultyLeases: PartitionLeases {
    private let places: any PartitionLeases
    private let fault: PlantedFault

    init(_ places: any PartitionLeases, _ fault: PlantedFault) { (self.places, self.fault) = (places, fault) }

    func place(of partition: Int) async throws -> (place: PartitionLease, revision: UInt64)? {
        try await places.place(of: partition)
    }

    func set(_ place: PartitionLease, of partition: Int, ifRevision revision: UInt64) async throws -> UInt64? {
        switch (fault, place.announced) {
        case (.noAnnouncement, .some): return revision
        case (.placeBeforeStore, let range?):
            var early = place
            (early.through, early.announced) = (range.to, nil)
            let revision = try await places.set(early, of: partition, ifRevision: revision)
            try await Task.sleep(for: .milliseconds(300))
            return revision
        case (.noAnnouncement, nil), (.fewKnownBlocks, nil):
            try await Task.sleep(for: .milliseconds(300))
            return try await places.set(place, of: partition, ifRevision: revision)
        case (.fewKnownBlocks, .some), (.placeBeforeStore, nil), (.noMajority, _):
            return try await places.set(place, of: partition, ifRevision: revision)
        }
    }
}
