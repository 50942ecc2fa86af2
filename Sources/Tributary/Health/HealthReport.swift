import TributaryJSON

/// A report as it is sent: at most 2 KB, the same bytes until a server has it.
struct HealthReport: Sendable, Equatable {
    /// Bytes of a report.
    static let bytes = 2048

    let text: String

    /// - Parameters:
    ///   - instance: the `instanceId` of events; the only id in it.
    ///   - number: counts the reports of this instance, so that a server knows a repeated one.
    ///   - seconds: the time that it covers.
    ///   - app: the app when the report is made; earlier versions of it may have counted, too.
    ///   - settings: the settings that the client has.
    init?(
        _ totals: HealthTotals, writeKey: String, instance: String, number: Int, kind: HealthSchedule.Kind,
        seconds: Int,
        app: HealthApp = HealthApp(), settings: HeardSettings? = nil
    ) {
        var totals = totals
        var head: JSONObject = [
            "writeKey": .string(writeKey), "instanceId": .string(instance), "number": .number(JSONNumber(number)),
            "seconds": .number(JSONNumber(seconds)), "library": .string(LibraryVersion.current),
        ]
        head["app"] = app.json
        head["settings"] = settings?.json
        if kind == .early { head["isEarly"] = true }
        while true {
            var report = head
            for (name, value) in totals.members { report[name] = value }
            let bytes = JSON.object(report).encoded()
            if bytes.count <= Self.bytes {
                text = String(decoding: bytes, as: UTF8.self)
                return
            }
            guard totals.leaveOut() else { return nil }
        }
    }

    /// A report that an earlier process could not send.
    init?(kept json: JSON?) {
        guard let text = json?.stringValue, text.utf8.count <= Self.bytes else { return nil }
        self.text = text
    }
}
