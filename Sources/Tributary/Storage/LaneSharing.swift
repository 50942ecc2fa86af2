import Foundation
import TributaryJournal

/// How a program has lanes in a folder that others have theirs in: numbers of its own, and leases instead of locks.
struct LaneSharing: Sendable, Equatable {
    /// Lanes of one program that are tried; each is another live client of it.
    static let lanesPerProgram: UInt64 = 64

    /// The first of the program's numbers.
    let firstLane: UInt64
    /// Whether the system runs one process of the program at a time: of an app, not of an extension.
    let isOnlyProcess: Bool

    /// Nil for folders that one program has for itself, and where the system lets a suspended process have locks.
    init?(mode: StorageMode, program: Program) {
        switch mode {
        case .sharedContainer: break
        case .diskAtURL(let url) where url.path.contains("/Shared/AppGroup/"): break
        default: return nil
        }
        #if os(macOS)
        return nil
        #else
        firstLane = Self.number(program.name) / Self.lanesPerProgram * Self.lanesPerProgram
        isOnlyProcess = !program.isExtension
        #endif
    }

    /// The program's own numbers.
    var lanes: Range<UInt64> { firstLane..<firstLane + Self.lanesPerProgram }

    /// The way to have a lane.
    func ownership(of lane: UInt64) -> JournalOptions.Ownership {
        .lease(
            JournalOptions.Lease(owner: firstLane, isOnlyProcess: isOnlyProcess && lanes.contains(lane)))
    }

    /// The same for the same name for ever, above the numbers of unshared folders and below what an `Int` holds.
    private static func number(_ name: String) -> UInt64 {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 as UInt64 }
        return (hash >> 16) + lanesPerProgram
    }
}
