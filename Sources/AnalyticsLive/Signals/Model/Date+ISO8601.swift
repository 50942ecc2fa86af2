public import Foundation
import TributaryJSON

extension Date {
    /// The time as a timestamp of the protocol: `2026-11-21T01:41:17.439Z`, milliseconds, UTC.
    public func iso8601() -> String { ISO8601.string(date: self) }
}
