import TributaryJSON

/// The differences that a trial found in versions of the app that restrict scripts, as sentences for a terminal.
struct RestrictionText {
    /// The most actions that are named of one list of permissions.
    private static let shownActions = 5

    let lines: [String]

    /// - Parameter answer: that of `live-plugins/try`.
    init(_ answer: JSON) {
        let devices = answer["devices"]?.intValue ?? 0
        lines = (answer["apps"]?.elements ?? []).flatMap { Self.lines($0, of: devices) }
    }

    private static func lines(_ app: JSON, of devices: Int) -> [String] {
        let place = "in app \(versions(app)) (\(share(app["devices"]?.intValue ?? 0, of: devices)) of devices)"
        if let reason = app["untried"]?.stringValue { return ["\(place) it was not tried: \(reason.printable)"] }
        if let fault = app["fault"]?.stringValue { return ["\(place) it would not run: \(fault.printable)"] }
        let tried = count(app, "events")
        var lines = (app["refusedAtStart"]?.elements ?? []).prefix(shownActions).map { action in
            "\(place) scripts may not \((action.stringValue ?? "").printable) at their start"
        }
        let refused = app["refused"]?.elements ?? []
        lines += refused.prefix(shownActions).map { "\(place) \(sentence($0, tried))" }
        if refused.count > shownActions {
            lines.append("\(place) there are \(refused.count - shownActions) more such actions")
        }
        let unseen = count(app, "unseen")
        if unseen > 0 {
            lines.append(
                "\(place) scripts do not see all that they read: \(unseen.grouped) of \(tried.grouped) events would come out "
                    + "differently")
        }
        if app["lacksSignals"] == true {
            lines.append("\(place) scripts get no signals, so processSignal would make no events")
        }
        if app["complete"] == false { lines.append("\(place) only \(tried.grouped) events could be tried in the time") }
        return lines
    }

    private static func sentence(_ refusal: JSON, _ tried: Int) -> String {
        let (events, unchanged) = (count(refusal, "events"), count(refusal, "unchanged"))
        let outcome = unchanged == events ? "stay as they are" : "go on without that"
        let action = (refusal["action"]?.stringValue ?? "").printable
        return "scripts may not \(action): \(events.grouped) of \(tried.grouped) events would \(outcome)"
    }

    private static func versions(_ app: JSON) -> String {
        (app["versions"]?.elements ?? []).map { $0.stringValue?.printable ?? "without a version" }
            .joined(separator: ", ")
    }

    /// A share in whole percent. A small one is not shown as none.
    static func share(_ part: Int, of whole: Int) -> String {
        let percent = whole > 0 ? Double(part) * 100 / Double(whole) : 0
        return part > 0 && percent < 1 ? "below 1 %" : "\(Int(percent.rounded())) %"
    }

    private static func count(_ json: JSON, _ name: String) -> Int { json[name]?.intValue ?? 0 }
}
