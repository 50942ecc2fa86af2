public import Foundation
import TributaryJSON

extension Date {
    /// The moment as the protocol writes it: `2026-11-21T01:41:17.439Z`, milliseconds, UTC.
    public func iso8601() -> String { ISO8601.string(date: self) }
}
