import Foundation
import WorkspaceCore

/// A folder that a command makes for an author to begin with. Files that are there already stay as they are.
struct NewFolder {
    let path: String

    /// Makes the folder with these files, and says what was written.
    func write(_ files: [(name: String, text: String)]) throws(Failure) {
        let folder = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure("\(path) cannot be made: \(SystemReason.text(error))")
        }
        for (name, text) in files { try write(text, to: folder.appendingPathComponent(name), as: "\(path)/\(name)") }
    }

    private func write(_ text: String, to file: URL, as name: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: file, options: .withoutOverwriting)
            print("\(name) written")
        } catch CocoaError.fileWriteFileExists {
            print("\(name) is there already")
        } catch {
            throw Failure("\(name) cannot be written: \(SystemReason.text(error))")
        }
    }
}
