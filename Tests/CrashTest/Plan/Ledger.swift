import Foundation
import Tributary

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The record of a client process: a file to which each line is appended with one `write`. So lines survive the end of
/// the process, and lines of several threads are in the order in which they were written.
struct Ledger: Sendable {
    /// One line.
    enum Line: Equatable, Sendable {
        /// `track` returned. `isVolatile`: the client said that it does not survive the process, or was about to.
        case acknowledged(key: String, isVolatile: Bool)
        /// A record with this event was written to the inbox's file.
        case stored(key: String)
        /// All threads stand still and everything that was tracked so far is about to be given up.
        case purging
        /// The call that gives it up has returned.
        case purged
        /// The process kills itself now.
        case killed(KillPoint)
        /// All events were tracked.
        case finished
    }

    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    func append(_ line: Line) {
        let bytes = Array((line.text + "\n").utf8)
        _ = write(descriptor, bytes, bytes.count)
    }

    /// The lines of a process that has ended; a last line without an end was never finished.
    static func read(_ path: String) -> [Line] {
        guard let data = FileManager.default.contents(atPath: path),
            let end = data.lastIndex(of: UInt8(ascii: "\n"))
        else { return [] }
        return String(decoding: data[..<end], as: UTF8.self).split(separator: "\n").compactMap {
            Line(text: String($0))
        }
    }
}

extension Ledger.Line {
    var text: String {
        switch self {
        case .acknowledged(let key, let isVolatile): "acknowledged\t\(key)\t\(isVolatile ? "volatile" : "durable")"
        case .stored(let key): "stored\t\(key)"
        case .purging: "purging"
        case .purged: "purged"
        case .killed(let point): "killed\t\(point.step.rawValue)\t\(point.side.rawValue)\t\(point.nth)"
        case .finished: "finished"
        }
    }

    init?(text: String) {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        switch (fields.first, fields.count) {
        case ("acknowledged", 3): self = .acknowledged(key: fields[1], isVolatile: fields[2] == "volatile")
        case ("stored", 2): self = .stored(key: fields[1])
        case ("purging", _): self = .purging
        case ("purged", _): self = .purged
        case ("killed", 4):
            guard let step = Step(rawValue: fields[1]), let side = StepSide(rawValue: fields[2]),
                let nth = Int(fields[3])
            else { return nil }
            self = .killed(KillPoint(step: step, side: side, nth: nth))
        case ("finished", _): self = .finished
        default: return nil
        }
    }
}
