import Foundation

/// Where this program lies, and with it the others of the same build.
enum ProgramFolder {
    static var current: URL {
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    }
}
