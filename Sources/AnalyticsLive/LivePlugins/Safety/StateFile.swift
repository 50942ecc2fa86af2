import Foundation
import Tributary
import TributaryJSON
import TributaryJournal

/// A small JSON file of the client that is only overwritten when it was read or is known to be missing.
///
/// A file that cannot be read now, as on a locked device, may be good, so the client leaves it alone and tries again. A
/// damaged file is renamed, so that it can be repaired.
struct StateFile: Sendable {
    private let folder: KeptFolder
    private let name: String
    private let maximumBytes: Int
    private let report: @Sendable (String) -> Void
    /// Whether writing would lose nothing.
    private(set) var isSettled = false
    /// Whether a problem was reported. Each file has at most one report.
    private var hasReported = false

    /// - Parameters:
    ///   - maximumBytes: more than the client ever writes; a larger file counts as damaged.
    ///   - report: called with the reason why the file cannot be used.
    init(_ folder: KeptFolder, _ name: String, maximumBytes: Int, report: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.name = name
        self.maximumBytes = maximumBytes
        self.report = report
    }

    /// The content of the file; nil when the file is missing, is damaged, or cannot be read now. `isSettled`
    /// distinguishes the last case.
    ///
    /// - Parameter parse: returns nil for content that is not valid.
    mutating func read<Value>(_ parse: (JSON) -> Value?) -> Value? {
        do {
            guard let bytes = try file.read(maximumBytes) else {
                isSettled = true
                return nil
            }
            // Content that no parser accepts is damaged.
            guard let json = try? JSON.parse(bytes), let value = parse(json) else {
                setAside()
                return nil
            }
            isSettled = true
            return value
        } catch  where error.reason == .tooLarge {
            setAside()
            return nil
        } catch {
            complain("cannot be read now and is left alone: \(error)")
            return nil
        }
    }

    /// Replaces the file as a whole.
    /// - Throws: the error of the disk.
    func write(_ bytes: [UInt8]) throws(JournalError) { try file.replace(with: bytes) }

    /// Deletes the file, whether it can be read or not, and files that were set aside as damaged.
    /// - Throws: the error for the first file that stays.
    mutating func remove() throws(JournalError) {
        isSettled = true
        try file.remove()
        for place in damaged { try place.remove() }
    }

    private var file: KeptFile { folder.file(name) }

    /// The places for damaged files, in this order.
    private var damaged: [KeptFile] {
        (1...LivePluginLimits.damagedFiles).map { folder.file("\(name).damaged-\($0)") }
    }

    private mutating func setAside() {
        let places = damaged
        let isFree = { (place: KeptFile) in !FileManager.default.fileExists(atPath: place.path) }
        guard let place = places.first(where: isFree) ?? places.last else { return }
        do {
            try file.setAside(to: place.path)
        } catch {
            return complain("is damaged and cannot be renamed, so the client leaves it alone: \(error)")
        }
        isSettled = true
        complain("is damaged, it is now \(URL(fileURLWithPath: place.path).lastPathComponent)")
    }

    private mutating func complain(_ problem: String) {
        guard !hasReported else { return }
        hasReported = true
        report("\(name) \(problem)")
    }
}
