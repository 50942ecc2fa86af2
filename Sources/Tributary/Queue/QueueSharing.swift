import Foundation
import TributaryJournal

/// How a program uses a folder that other programs share: it has queue numbers of its own, and leases instead of locks.
struct QueueSharing: Sendable, Equatable {
    /// The number of queues that one program tries. Each live client of the program has one.
    static let numbersPerProgram: UInt64 = 64

    /// The first of the program's numbers.
    let firstNumber: UInt64
    /// Whether the system runs only one process of the program at a time. That holds for an app, not for an extension.
    let isOnlyProcess: Bool

    /// Nil for a folder that one program has for itself, and on systems where a suspended process may hold locks.
    init?(mode: StorageMode, program: Program) {
        switch mode {
        case .sharedContainer: break
        case .diskAtURL(let url) where url.path.contains("/Shared/AppGroup/"): break
        default: return nil
        }
        #if os(macOS)
        return nil
        #else
        firstNumber = Self.number(program.name) / Self.numbersPerProgram * Self.numbersPerProgram
        isOnlyProcess = !program.isExtension
        #endif
    }

    /// The program's own numbers.
    var numbers: Range<UInt64> { firstNumber..<firstNumber + Self.numbersPerProgram }

    /// How a queue is kept from other clients.
    func ownership(of number: UInt64) -> JournalOptions.Ownership {
        .lease(
            JournalOptions.Lease(owner: firstNumber, isOnlyProcess: isOnlyProcess && numbers.contains(number)))
    }

    /// A number for a name, which never changes. It is above the numbers of unshared folders and fits into an `Int`.
    private static func number(_ name: String) -> UInt64 {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 as UInt64 }
        return (hash >> 16) + numbersPerProgram
    }
}
