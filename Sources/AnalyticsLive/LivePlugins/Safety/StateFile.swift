import Foundation
import TributaryJSON

/// A small JSON file of the client that is never written over unless it was read or is known to be missing.
///
/// A file that cannot be read now, as on a locked device, may be good: the client leaves it alone and tries again. A
/// file that is readable and damaged is set aside under another name, because somebody may want to repair it.
struct StateFile: Sendable {
    private let url: URL
    private let maximumBytes: Int
    private let report: @Sendable (String) -> Void
    /// Whether writing would lose nothing.
    private(set) var isSettled = false
    /// Each file is complained about once.
    private var hasReported = false

    /// - Parameters:
    ///   - maximumBytes: more than is ever written there; a larger file counts as damaged.
    ///   - report: called with the reason why the file is of no use.
    init(_ url: URL, maximumBytes: Int, report: @escaping @Sendable (String) -> Void) {
        self.url = url
        self.maximumBytes = maximumBytes
        self.report = report
    }

    /// What the file holds; nil when it is missing, damaged, or cannot be read now, which `isSettled` tells apart.
    ///
    /// - Parameter parse: nil for what makes no sense.
    mutating func read<Value>(_ parse: (JSON) -> Value?) -> Value? {
        do {
            guard let bytes = try PrivateFile.read(url, maximumBytes: maximumBytes) else {
                isSettled = true
                return nil
            }
            // What no parser takes is damaged.
            guard let json = try? JSON.parse(bytes), let value = parse(json) else {
                setAside()
                return nil
            }
            isSettled = true
            return value
        } catch let error as CocoaError where error.code == .fileReadTooLarge {
            setAside()
            return nil
        } catch {
            complain("cannot be read now and is left alone: \(error.localizedDescription)")
            return nil
        }
    }

    /// Replaces the file as a whole.
    /// - Throws: what the disk says.
    func write(_ bytes: [UInt8]) throws { try PrivateFile.write(bytes, to: url) }

    /// Deletes the file, whether it can be read or not, and those that were set aside as damaged.
    /// - Throws: what the disk says of the first that it keeps.
    mutating func remove() throws {
        isSettled = true
        for file in [url] + damaged {
            guard unlink(file.path) != 0, errno != ENOENT else { continue }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Where damaged files are set aside, in this order.
    private var damaged: [URL] {
        (1...LivePluginLimits.damagedFiles).map { url.appendingPathExtension("damaged-\($0)") }
    }

    private mutating func setAside() {
        let places = damaged
        let isFree = { (place: URL) in !FileManager.default.fileExists(atPath: place.path) }
        guard let place = places.first(where: isFree) ?? places.last, rename(url.path, place.path) == 0 else {
            return complain("is damaged and cannot be set aside, so it is left alone")
        }
        isSettled = true
        complain("is damaged, it is now \(place.lastPathComponent)")
    }

    private mutating func complain(_ problem: String) {
        guard !hasReported else { return }
        hasReported = true
        report("\(url.lastPathComponent) \(problem)")
    }
}
