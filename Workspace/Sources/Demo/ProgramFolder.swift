import Foundation

/// The folder of this program and of the other programs of the same build.
enum ProgramFolder {
    static var current: URL {
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    }
}
