import ArgumentParser
import TributaryJSON

/// Shows and overrides a roll-out with a plan.
struct PluginRollout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Shows how far a roll-out with a plan is, and overrides it.",
        discussion: """
            `tributary plugin deploy --rollout` begins one. To take the version back by hand, use `tributary plugin \
            rollback`; that ends the roll-out.
            """,
        subcommands: [
            PluginRolloutShow.self, PluginRolloutPause.self, PluginRolloutResume.self, PluginRolloutAdvance.self,
        ],
        defaultSubcommand: PluginRolloutShow.self)

    /// A roll-out on two lines.
    static func text(_ answer: JSON) throws(Failure) -> String {
        guard let rollout = answer["rollout"], !rollout.isNull else { return "there was no roll-out with a plan" }
        let stages = try rollout.object("plan")["stages"]?.elements ?? []
        let state = try rollout.text("state").printable
        let held = try rollout.number("heldSeconds") / 60
        return """
            version \(try rollout.number("version")): \(state), stage \(try rollout.number("stage")) of \(stages.count), \
            \(try rollout.number("percentage")) % of devices, for \(held) min
              \(try rollout.text("reason").printable)
            """
    }
}

/// Shows the newest roll-out.
struct PluginRolloutShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the newest roll-out, and why it is as it is.")

    @OptionGroup var options: SourceOptions

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let answer = try await AdministrationClient(options).get("live-plugins/rollout")
        print(json ? answer.description : try PluginRollout.text(answer))
    }
}

/// Stops a roll-out for now.
struct PluginRolloutPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stops a roll-out for now; devices that have the version keep it.")

    @OptionGroup var options: SourceOptions

    func run() async throws {
        print(try PluginRollout.text(try await AdministrationClient(options).post("live-plugins/rollout/pause")))
    }
}

/// Lets a paused roll-out go on.
struct PluginRolloutResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Lets a paused roll-out go on.")

    @OptionGroup var options: SourceOptions

    func run() async throws {
        print(try PluginRollout.text(try await AdministrationClient(options).post("live-plugins/rollout/resume")))
    }
}

/// Begins the next stage, whatever the reports say.
struct PluginRolloutAdvance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance", abstract: "Begins the next stage now, whatever devices report.")

    @OptionGroup var options: SourceOptions

    func run() async throws {
        print(try PluginRollout.text(try await AdministrationClient(options).post("live-plugins/rollout/advance")))
    }
}
