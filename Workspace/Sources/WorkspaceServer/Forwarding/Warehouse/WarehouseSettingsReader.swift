import TributaryJSON
import WorkspaceCore

/// Reads the settings of a destination that loads a database.
struct WarehouseSettingsReader {
    let kind: String
    let settings: JSONObject

    /// - Throws: `Refusal` for a setting that is not one of these.
    func check(_ members: [String]) throws(Refusal) {
        if let stranger = settings.first(where: { !members.contains($0.key) }) {
            throw .invalid(
                "a \(kind) destination has no setting \(stranger.key); its settings are \(members.joined(separator: ", "))"
            )
        }
    }

    func text(_ name: String, otherwise: String? = nil) throws(Refusal) -> String {
        guard let value = settings[name] ?? otherwise.map(JSON.string) else {
            throw .invalid("a \(kind) destination needs \(name), as a text")
        }
        guard let text = value.stringValue else { throw .invalid("\(name) is a text") }
        return text
    }

    /// A name as databases have it; a name that needs quotes is quoted.
    func name(_ name: String, otherwise: String? = nil) throws(Refusal) -> String {
        let text = try text(name, otherwise: otherwise)
        guard (1...Limits.warehouseNameBytes).contains(text.utf8.count), PlainName.isPlain(text) else {
            throw .invalid("\(name) has 1 to \(Limits.warehouseNameBytes) bytes, \(PlainName.rule)")
        }
        return text
    }

    func number(_ name: String, in range: ClosedRange<Int64>) throws(Refusal) -> Int64? {
        try settings.member(name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.numberValue?.int64.flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
