import TributaryJSON
import TributaryJournal

/// The form in the file `delivery.json` of an event queue. Members that are missing or invalid have their defaults.
extension RetryState {
    var json: JSON {
        var object = JSONObject()
        object["version"] = 1
        if let host { object["host"] = .string(host) }
        object["failures"] = .number(JSONNumber(failures))
        object["unansweredLaunches"] = .number(JSONNumber(unansweredLaunches))
        object["pause"] = .number(JSONNumber(pause) ?? JSONNumber(0))
        if mayAsk { object["mayAsk"] = true }
        let times = [
            ("failingSince", failingSince), ("pausedAt", pausedAt), ("attemptedAt", attemptedAt), ("askedAt", askedAt),
        ]
        for (key, time) in times {
            if let time { object[key] = .number(JSONNumber(time)) }
        }
        if let batchBytes { object["batchBytes"] = .number(JSONNumber(batchBytes)) }
        var hosts = JSONObject()
        for (host, time) in plainHosts.byKey() { hosts[host] = .number(JSONNumber(time)) }
        object["plainHosts"] = .object(hosts)
        return .object(object)
    }

    init(json: JSON) {
        func integer(_ key: String) -> Int64? { json[key]?.intValue.map(Int64.init) }
        host = json["host"]?.stringValue
        failures = min(max(json["failures"]?.intValue ?? 0, 0), Limits.countedFailures)
        unansweredLaunches = min(max(json["unansweredLaunches"]?.intValue ?? 0, 0), Limits.countedFailures)
        pause = max(json["pause"]?.doubleValue ?? 0, 0)
        failingSince = integer("failingSince")
        pausedAt = integer("pausedAt")
        attemptedAt = integer("attemptedAt")
        mayAsk = json["mayAsk"]?.boolValue ?? false
        askedAt = integer("askedAt")
        batchBytes = json["batchBytes"]?.intValue.map { min(max($0, 1), Limits.batchBytes) }
        for (host, since) in json["plainHosts"]?.objectValue ?? [:] {
            guard plainHosts.count < Limits.plainHosts, let since = since.intValue else { continue }
            plainHosts[host] = Int64(since)
        }
    }
}

/// The file with the retry state of an event queue. It is replaced as a whole. Without the file, delivery begins as if
/// there had been no failure.
struct RetryStateFile: Sendable {
    let file: KeptFile

    func load() -> RetryState {
        guard let bytes = try? file.read(Limits.retryStateBytes), let json = try? JSON.parse(bytes),
            json["version"]?.intValue == 1
        else { return RetryState() }
        return RetryState(json: json)
    }

    func store(_ state: RetryState) throws(JournalError) { try file.replace(with: state.json.encoded()) }
}
