import ProgramSupport
import TributaryJSON

/// The outcome for the broken version, and for the events of the devices that had it.
struct RolloutOutcome {
    /// The roll-out, the version's health and the devices' account, as workspace and devices tell them.
    let rollout: JSON
    let health: JSON
    let account: JSON
    /// Events of the devices in the workspace.
    let stored: Int

    private func count(_ json: JSON, _ name: String) -> Int { json[name]?.intValue ?? 0 }

    /// The story on one line.
    var text: String {
        let reason = rollout["reason"]?.stringValue ?? "?"
        return "a broken version met \(Grouped.text(count(health, "events"))) events of other devices, threw at "
            + "\(Grouped.text(count(health, "faulty"))), and was rolled back: \(reason)"
    }

    /// The account on one line.
    var accountText: String {
        "those devices tracked \(Grouped.text(count(account, "tracked"))) events, \(Grouped.text(stored)) are stored"
    }

    /// The problems, each as a sentence.
    var problems: [String] {
        var problems: [String] = []
        if rollout["state"] != "rolledBack" { problems.append("the broken version was not rolled back") }
        let difference = count(account, "tracked") - count(account, "dropped") - stored
        if difference != 0 { problems.append("\(difference) events of the other devices are not accounted for") }
        return problems
    }
}
