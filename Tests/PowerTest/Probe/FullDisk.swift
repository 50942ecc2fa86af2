import Foundation

/// The disk, as far as the recorder makes it full: it is while a file is there.
struct FullDisk {
    private let flag = ProcessInfo.processInfo.environment["POWER_FULL"]

    func fill() {
        guard let flag, FileManager.default.createFile(atPath: flag, contents: nil) else { exit(64) }
    }

    func empty() {
        if let flag { unlink(flag) }
    }
}
