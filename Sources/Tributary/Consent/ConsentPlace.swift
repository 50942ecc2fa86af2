import Foundation
import TributaryJSON
import TributaryJournal

/// The place of the stored consent decision: a file that is replaced as a whole, or the app's own store.
enum ConsentPlace: Sendable {
    case file(KeptFile)
    case store(any EventStore)

    private static let key = "consent"

    static let fileName = "consent.json"

    /// - Parameters:
    ///   - file: the file of a client with files.
    ///   - store: the app's own store, if it has one.
    init?(_ file: KeptFile?, store: (any EventStore)?) {
        if let file {
            self = .file(file)
        } else if let store {
            self = .store(store)
        } else {
            return nil
        }
    }

    /// - Returns: nil when no decision was ever stored.
    func load() throws -> ConsentRecord? {
        guard let bytes = try bytes() else { return nil }
        return try ConsentRecord(json: JSON.parse(bytes))
    }

    private func bytes() throws -> [UInt8]? {
        switch self {
        case .store(let store): return try store.value(forKey: Self.key)
        case .file(let file): return try file.read()
        }
    }

    func store(_ record: ConsentRecord) throws {
        switch self {
        case .store(let store): try store.setValue(record.json.encoded(), forKey: Self.key)
        // Synced in every durability mode: a power cut must not lose a refusal, even where it may lose events.
        case .file(let file): try file.replace(with: record.json.encoded(), .synced)
        }
    }
}
