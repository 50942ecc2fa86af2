import Foundation
import TributaryJournal

/// How a program has event queues in a folder that other programs share: numbers of its own, and leases instead of locks.
struct QueueSharing: Sendable, Equatable {
    /// Queues of one program that are tried; each is another live client of it.
    static let numbersPerProgram: UInt64 = 64

    /// The first of the program's numbers.
    let firstNumber: UInt64
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

    /// The same for the same name for ever, above the numbers of unshared folders and below what an `Int` holds.
    private static func number(_ name: String) -> UInt64 {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 as UInt64 }
        return (hash >> 16) + numbersPerProgram
    }
}
