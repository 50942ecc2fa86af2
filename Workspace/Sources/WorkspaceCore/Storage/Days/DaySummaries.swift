import Foundation
import Synchronization

/// The summaries of the days that ended.
///
/// A summary only holds for the events that it was made of. So it goes before events are added to its day, and one that
/// was being made meanwhile is not taken. After a crash the revision of the day says whether its summary is still right.
/// May be used from any thread.
final class DaySummaries: Sendable {
    private struct State {
        var known: [Day: DaySummary] = [:]
        /// How often events of a day changed since the start.
        var changes: [Day: Int] = [:]
    }

    static let partial = ".partial"

    private let folder: DataFolder
    private let state: Mutex<State>

    /// Takes the existing summaries, and deletes a summary that is damaged or describes another state of its day.
    /// - Parameter revisions: those of all days.
    init(_ folder: DataFolder, _ revisions: [Day: String]) throws {
        self.folder = folder
        var known: [Day: DaySummary] = [:]
        for (day, revision) in revisions {
            let summary = DaySummary(path: Self.path(of: day, in: folder))
            if let summary, summary.revision == revision { known[day] = summary }
        }
        state = Mutex(State(known: known))
        let kept = Set(known.values.map { URL(fileURLWithPath: $0.path).lastPathComponent })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.daysPath)
        where name.hasSuffix(DaySummary.suffix) && !kept.contains(name)
            || name.hasSuffix(DaySummary.suffix + Self.partial)
        {
            unlink(folder.daysPath + "/" + name)
        }
    }

    func has(_ day: Day) -> Bool { state.withLock { $0.known[day] != nil } }

    /// False when no event of the day has these values. A summary that is damaged is forgotten.
    func mayHave(_ matches: [EventQuery.Match], on day: Day) -> Bool {
        guard let summary = state.withLock({ $0.known[day] }) else { return true }
        if let answer = summary.mayHave(matches) { return answer }
        state.withLock { state in
            if state.known[day] == summary { state.known[day] = nil }
        }
        return true
    }

    /// A number that changes with the events of a day.
    func changes(of day: Day) -> Int { state.withLock { $0.changes[day] ?? 0 } }

    /// Takes a summary that was made, unless events changed since it was begun.
    /// - Parameter changes: the number when it was begun.
    func take(_ making: DaySummaryBuilder, of day: Day, _ changes: Int) throws {
        let path = Self.path(of: day, in: folder)
        let made = try making.write(to: path)
        try state.withLock { state in
            guard state.changes[day] ?? 0 == changes else {
                unlink(path + Self.partial)
                return
            }
            guard rename(path + Self.partial, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            state.known[day] = made
        }
    }

    /// Drops the summary of a day, before events are added to it. A file that stays is of an older revision.
    func drop(_ day: Day) {
        state.withLock { state in
            state.changes[day, default: 0] += 1
            guard let known = state.known.removeValue(forKey: day) else { return }
            unlink(known.path)
        }
    }

    /// Drops the summary of a day of which events are deleted, and makes sure that nothing of it is left.
    func erase(_ day: Day) throws {
        drop(day)
        guard unlink(Self.path(of: day, in: folder)) == 0 || errno == ENOENT else {
            throw CocoaError(.fileWriteUnknown)
        }
        try AtomicFolder.sync(folder.daysPath)
    }

    private static func path(of day: Day, in folder: DataFolder) -> String {
        DaySummary.path(ofDatabase: folder.path(of: day))
    }
}
