import Foundation

/// Writes to a file of its own how far a journal acknowledged requests, for times when the databases cannot be written.
/// A journal that ends before that place has lost requests.
///
/// A backup does not contain the file, because the backup is older than the file.
package struct AcknowledgementNote {
    private let path: String

    package init(in folder: String) { path = folder + "/acknowledged" }

    /// Replaces the place that the file held.
    package func write(_ place: JournalOffset) throws {
        let text = "\(String(place.epoch, radix: 16)) \(place.sequence)\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// The place in the file; 0 when there is none, or when it belongs to another journal.
    package func sequence(ofEpoch epoch: UInt64) -> UInt64 {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 100 else { return 0 }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, UInt64(words[0], radix: 16) == epoch, let sequence = UInt64(words[1]) else { return 0 }
        return sequence
    }
}
