import TributaryJSON

extension JSON {
    /// More than this cannot be counted on a device; numbers of a damaged file are cut off there, so that sums cannot
    /// overflow.
    private static let largestCount = 1_000_000_000_000

    /// A count; 0 when there is none.
    var count: Int { min(max(0, intValue ?? 0), Self.largestCount) }

    /// Members with counts, without those that are 0.
    static func counts(_ members: KeyValuePairs<String, Int>) -> JSONObject {
        var object = JSONObject()
        for (name, count) in members where count != 0 { object[name] = .number(JSONNumber(count)) }
        return object
    }
}
