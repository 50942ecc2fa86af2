import Foundation

/// Finds out what has changed in the folders of clients since the last look.
struct ClientFollower {
    /// The time between two looks.
    static let pause = Duration.milliseconds(250)
    /// Looks at an unchanged folder after which it is read all the same: two writes in a moment can leave the same time.
    private static let patience = 8

    private let root: String
    private let keeping: Int
    private var known: [String: ClientInspection] = [:]
    private var states: [String: FolderState] = [:]
    private var unread = 0
    private var hasFailed = false

    /// - Parameters:
    ///   - root: the folder that the user named.
    ///   - found: the clients as they were shown.
    ///   - states: the states of their folders from before that.
    init(_ root: String, _ found: [ClientInspection], _ states: [FolderState], keeping: Int) {
        (self.root, self.keeping) = (root, keeping)
        for (client, state) in zip(found, states) {
            (known[client.folder.path], self.states[client.folder.path]) = (client, state)
        }
    }

    /// The changes since the last look. A client that begins meanwhile is followed from its first event.
    /// - Throws: `Failure` when the folder could not be read twice in a row. One failure can mean that the client has removed a
    ///   file during the look.
    mutating func look(now: Int64) throws(Failure) -> [(ClientFolder, ClientChange)] {
        do throws(Failure) {
            let changes = try changes(now)
            hasFailed = false
            return changes
        } catch {
            guard !hasFailed else { throw error }
            hasFailed = true
            return []
        }
    }

    private mutating func changes(_ now: Int64) throws(Failure) -> [(ClientFolder, ClientChange)] {
        unread += 1
        let isDue = unread >= Self.patience
        if isDue { unread = 0 }
        var changes: [(ClientFolder, ClientChange)] = []
        for folder in try ClientFolder.all(in: root) {
            let state = FolderState(folder.path)
            guard isDue || states[folder.path] != state else { continue }
            let found = try ClientInspection(folder, keeping: keeping, now: now)
            let before = known[folder.path] ?? found.withoutEvents
            changes += ClientChange.between(before, found).map { (folder, $0) }
            (known[folder.path], states[folder.path]) = (found, state)
        }
        return changes
    }
}

/// The names, sizes and times of the files in a folder: as long as they are the same, its content is.
struct FolderState: Equatable {
    private let files: [String: String]

    init(_ path: String) {
        var files: [String: String] = [:]
        for name in FileManager.default.subpaths(atPath: path) ?? [] {
            // A file without attributes was removed meanwhile.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)") else {
                continue
            }
            let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            files[name] = "\(attributes[.size] ?? "") \(attributes[.systemFileNumber] ?? "") \(time)"
        }
        self.files = files
    }
}
