import Foundation
import TributaryJSON
import TributaryJournal

/// Where what the user said is kept: in a file that is replaced as a whole, or in the app's own store.
enum ConsentPlace: Sendable {
    case file(KeptFile)
    case store(any EventStore)

    private static let key = "consent"

    /// - Parameter store: the app's own.
    init?(folder: URL?, _ files: any FileSystem, store: (any EventStore)?) {
        if let folder {
            self = .file(KeptFile(folder.appendingPathComponent("consent.json"), files))
        } else if let store {
            self = .store(store)
        } else {
            return nil
        }
    }

    /// - Returns: nil when nothing was ever said.
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
        // A refusal must not be forgotten when the power goes out, whatever events survive.
        case .file(let file): try file.replace(with: record.json.encoded(), .synced)
        }
    }
}
