import Foundation

/// Finds the sessions that come with the repository.
enum SessionsFile {
    static let path = "Examples/Storefront/Data/sessions.ndjson"

    /// The file in the current folder or one above it, else above the folder of the program.
    static func find(currentFolder: String, program: String) -> String? {
        let starts = [currentFolder, URL(fileURLWithPath: program).resolvingSymlinksInPath().path]
        return starts.lazy.compactMap(find(above:)).first
    }

    private static func find(above folder: String) -> String? {
        var url = URL(fileURLWithPath: folder).standardizedFileURL
        while true {
            let candidate = url.appendingPathComponent(path).path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
            guard url.path != "/" else { return nil }
            url.deleteLastPathComponent()
        }
    }
}
