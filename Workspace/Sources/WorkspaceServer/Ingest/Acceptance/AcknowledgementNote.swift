import Foundation

/// Notes in a file of its own what a journal acknowledged, for the time in which the databases cannot be written and so
/// do not know it. A journal that ends before has lost requests.
///
/// The file is no part of a backup, which is of an earlier moment than the note.
struct AcknowledgementNote {
    private let path: String

    init(in folder: String) { path = folder + "/acknowledged" }

    /// Replaces what was noted before.
    func write(_ place: JournalPlace) throws {
        let text = "\(String(place.epoch, radix: 16)) \(place.sequence)\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// What was noted for a journal; 0 when nothing was, or for another one.
    func sequence(ofEpoch epoch: UInt64) -> UInt64 {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count < 100 else { return 0 }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, UInt64(words[0], radix: 16) == epoch, let sequence = UInt64(words[1]) else { return 0 }
        return sequence
    }
}
