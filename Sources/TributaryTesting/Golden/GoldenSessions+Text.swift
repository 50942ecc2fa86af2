public import TributaryJSON

/// The reason why a file of golden sessions cannot be read.
public struct GoldenFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line of the file, from 1; nil for a fault of the whole file.
    public let line: Int?
    /// The fault, as a text for people.
    public let message: String

    init(_ message: String, line: Int? = nil) { (self.message, self.line) = (message, line) }

    /// The fault with its line.
    public var description: String { line.map { "line \($0): \(message)" } ?? message }
}

extension GoldenSessions {
    /// Reads a file.
    /// - Throws: ``GoldenFault`` that names the first line with a fault.
    public init(_ bytes: [UInt8]) throws(GoldenFault) {
        guard bytes.count <= Limits.bytes else { throw GoldenFault("the file has more than \(Limits.bytes) bytes") }
        var reader = GoldenReader()
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard !line.isEmpty else { continue }
            do throws(GoldenFault) {
                try reader.take(Array(line))
            } catch {
                throw GoldenFault(error.message, line: number)
            }
        }
        self = try reader.finished()
    }

    /// The file: the head, then a line for each event and signal.
    public var lines: [JSON] {
        var head: JSON = ["tributaryGolden": .number(JSONNumber(Self.formatVersion))]
        head["version"] = version.map { .number(JSONNumber($0)) }
        head["plan"] = .array(plan.map(\.json))
        return [head] + sessions.flatMap { session in session.records.map { $0.line(of: session.name) } }
    }

    /// The bytes of the file.
    public var encoded: [UInt8] { lines.reduce(into: []) { $0 += $1.encoded() + [UInt8(ascii: "\n")] } }
}

extension GoldenRecord {
    /// The record as a line of a file. A part that is as it would be without plugins is left out.
    func line(of session: String) -> JSON {
        var json: JSON = ["session": .string(session)]
        switch input {
        case .event(let event):
            json["event"] = event
            // Not `nil` in place of `.null`: that would be no member.
            if outcome.after != event { json["after"] = .some(outcome.after ?? .null) }
        case .signal(let signal): json["signal"] = signal
        }
        if !outcome.made.isEmpty { json["made"] = .array(outcome.made) }
        return json
    }

    /// Reads the members of a line, besides the name of its session.
    init(_ json: JSON) throws(GoldenFault) {
        let made = json["made"] ?? []
        guard let made = made.elements, made.allSatisfy({ $0.objectValue != nil }) else {
            throw GoldenFault("made is a list of events")
        }
        guard made.count <= GoldenSessions.Limits.madeEvents else {
            throw GoldenFault("made has more than \(GoldenSessions.Limits.madeEvents) events")
        }
        switch (json["event"], json["signal"]) {
        case (let event?, nil):
            guard event["type"]?.stringValue != nil else { throw GoldenFault("event is an object with a type") }
            let after = json["after"] ?? event
            guard after.isNull || after.objectValue != nil else { throw GoldenFault("after is an event, or null") }
            self.init(.event(event), outcome: GoldenOutcome(after: after.isNull ? nil : after, made: made))
        case (nil, let signal?):
            guard signal["type"]?.stringValue != nil else { throw GoldenFault("signal is an object with a type") }
            guard json["after"] == nil else { throw GoldenFault("a signal has no after") }
            self.init(.signal(signal), outcome: GoldenOutcome(after: nil, made: made))
        default: throw GoldenFault("a line has an event or a signal")
        }
    }
}

/// Reads the lines of a file one after the other.
private struct GoldenReader {
    private var golden: GoldenSessions?
    private var names: Set<String> = []
    private var records = 0

    mutating func take(_ line: [UInt8]) throws(GoldenFault) {
        guard line.count <= GoldenSessions.Limits.lineBytes else {
            throw GoldenFault("the line has more than \(GoldenSessions.Limits.lineBytes) bytes")
        }
        let limits = JSONLimits(depth: GoldenSessions.Limits.depth, bytes: GoldenSessions.Limits.lineBytes)
        let json: JSON
        do {
            json = try JSON.parse(line, limits: limits)
        } catch {
            throw GoldenFault("it is not JSON: \(error.detail)")
        }
        guard let object = json.objectValue else { throw GoldenFault("a line is a JSON object") }
        if golden == nil { return golden = try Self.head(json, object) }
        try Self.check(object, ["session", "event", "signal", "after", "made"])
        try add(try GoldenRecord(json), to: try Self.name(json["session"]))
    }

    func finished() throws(GoldenFault) -> GoldenSessions {
        guard let golden else { throw GoldenFault("the file is empty; its first line has \"tributaryGolden\"") }
        return golden
    }

    private mutating func add(_ record: GoldenRecord, to session: String) throws(GoldenFault) {
        records += 1
        guard records <= GoldenSessions.Limits.records else {
            throw GoldenFault("the file has more than \(GoldenSessions.Limits.records) events and signals")
        }
        let last = (golden?.sessions.count ?? 0) - 1
        if last >= 0, golden?.sessions[last].name == session {
            golden?.sessions[last].records.append(record)
            return
        }
        guard names.insert(session).inserted else {
            throw GoldenFault("the session \(JSON.string(session)) has lines above, and other sessions are between")
        }
        guard names.count <= GoldenSessions.Limits.sessions else {
            throw GoldenFault("the file has more than \(GoldenSessions.Limits.sessions) sessions")
        }
        golden?.sessions.append(GoldenSession(name: session, records: [record]))
    }

    private static func head(_ json: JSON, _ object: JSONObject) throws(GoldenFault) -> GoldenSessions {
        guard let format = json["tributaryGolden"]?.intValue else {
            throw GoldenFault("the first line has no \"tributaryGolden\", so this is no file of golden sessions")
        }
        guard format == GoldenSessions.formatVersion else {
            throw GoldenFault(
                "the format has the version \(format), and this program reads \(GoldenSessions.formatVersion)")
        }
        try check(object, ["tributaryGolden", "version", "plan"])
        let version = json["version"] ?? .null
        guard version.isNull || version.intValue != nil else { throw GoldenFault("version is a number") }
        guard let plan = (json["plan"] ?? []).elements, plan.count <= GoldenSessions.Limits.plannedEvents else {
            throw GoldenFault("plan is a list of at most \(GoldenSessions.Limits.plannedEvents) events")
        }
        var names: [GoldenEventName] = []
        for (index, event) in plan.enumerated() {
            guard let name = GoldenEventName(event) else {
                throw GoldenFault("plan[\(index)] is an object with a type and, for some types, a name")
            }
            names.append(name)
        }
        return GoldenSessions(version: version.intValue, plan: names)
    }

    private static func name(_ json: JSON?) throws(GoldenFault) -> String {
        guard let name = json?.stringValue, (1...GoldenSessions.Limits.nameBytes).contains(name.utf8.count) else {
            throw GoldenFault("session is a text of 1 to \(GoldenSessions.Limits.nameBytes) bytes")
        }
        return name
    }

    private static func check(_ object: JSONObject, _ members: [String]) throws(GoldenFault) {
        if let stranger = object.first(where: { !members.contains($0.key) }) {
            throw GoldenFault(
                "there is no member \(JSON.string(stranger.key)); there are \(members.joined(separator: ", "))")
        }
    }
}
