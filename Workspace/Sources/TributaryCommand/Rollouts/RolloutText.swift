import TributaryJSON

/// A roll-out on two lines of a terminal.
struct RolloutText {
    let text: String

    /// - Parameter rollout: that of an answer of the workspace; null when there was none.
    init(_ rollout: JSON?) throws(Failure) {
        guard let rollout, !rollout.isNull else {
            text = "there was no roll-out with a plan"
            return
        }
        let stages = try rollout.object("plan")["stages"]?.elements ?? []
        let state = try rollout.text("state").printable
        let held = try rollout.number("heldSeconds") / 60
        let shadow = rollout["isShadow"] == true ? try rollout.object("plan")["shadow"]?.intValue : nil
        let stage =
            try "stage \(rollout.number("stage")) of \(stages.count), \(rollout.number("percentage")) % of devices"
        text = """
            version \(try rollout.number("version")): \(state), \(shadow.map { "as a shadow on \($0) % of devices" } ?? stage), \
            for \(held) min
              \(try rollout.text("reason").printable)
            """
    }

    /// The roll-out after a step by hand.
    static func after(
        _ step: String, _ kind: any Deployed.Type, _ options: SourceOptions
    ) async throws -> RolloutText {
        try RolloutText(try await AdministrationClient(options).post("\(kind.path)/rollout/\(step)")["rollout"])
    }
}
