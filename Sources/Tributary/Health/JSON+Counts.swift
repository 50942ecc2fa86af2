import TributaryJSON

extension JSON {
    /// More than this cannot be counted on a device; numbers of a damaged file are cut off there, so that sums cannot
    /// overflow.
    private static let largestCount: Int64 = 1_000_000_000_000

    /// A count; 0 when there is none. Where `Int` has 32 bits, as on older watches, half of its range is the limit.
    var count: Int {
        let largest = min(Self.largestCount, Int64(Int.max / 2))
        return Int(min(max(0, numberValue?.int64 ?? 0), largest))
    }

    /// Members with counts, without counts of 0.
    static func counts(_ members: KeyValuePairs<String, Int>) -> JSONObject {
        var object = JSONObject()
        for (name, count) in members where count != 0 { object[name] = .number(JSONNumber(count)) }
        return object
    }
}
