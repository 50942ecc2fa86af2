import Foundation
import TributaryJournal
final class DiskLog {
    static func open(_ folder: URL, _ name: String, _ report: @escaping @Sendable (Diagnostic) -> Void) throws -> (any RecordLog)? { nil }
}
