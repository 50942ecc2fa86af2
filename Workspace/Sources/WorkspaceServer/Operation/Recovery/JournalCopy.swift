import Foundation
import TributaryJournal
import WorkspaceCore

/// A copy of the journal, because opening one changes its files.
struct JournalCopy: ~Copyable {
    let journal: Journal
    private let path: String

    init(of folder: String) throws {
        path = NSTemporaryDirectory() + "tributary-doctor-" + UUID().uuidString
        try FileManager.default.copyItem(atPath: folder, toPath: path)
        do {
            journal = try Journal.open(path, options: IngestJournal.options(capacity: 1 << 30))
        } catch {
            // The thrown error says more than one of the removal would.
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    deinit {
        journal.close()
        // In the system's folder for temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }
}
