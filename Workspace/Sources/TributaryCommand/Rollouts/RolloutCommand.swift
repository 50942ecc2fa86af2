import ArgumentParser
import TributaryJSON

/// Shows and overrides a roll-out with a plan.
struct RolloutCommand<Kind: Deployed>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rollout",
            abstract: "Shows how far a roll-out of \(Kind.title) with a plan is, and overrides it.",
            discussion: """
                `tributary \(Kind.command) deploy --rollout` begins one. To take the version back by hand, use `tributary \
                \(Kind.command) rollback`; that ends the roll-out.
                """,
            subcommands: [
                RolloutShow<Kind>.self, RolloutPause<Kind>.self, RolloutResume<Kind>.self, RolloutAdvance<Kind>.self,
            ] + (Kind.self == DeployedPlugins.self ? [RolloutAnnounce.self] : []),
            defaultSubcommand: RolloutShow<Kind>.self)
    }
}

/// Shows the newest roll-out.
struct RolloutShow<Kind: Deployed>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "show", abstract: "Shows the newest roll-out, and the reason for its state.")
    }

    @OptionGroup var options: SourceOptions

    @Flag(help: "Write the answer as JSON.")
    var json = false

    func run() async throws {
        let answer = try await AdministrationClient(options).get("\(Kind.path)/rollout")
        print(json ? answer.description : try RolloutText(answer["rollout"]).text)
    }
}

/// Stops a roll-out for now.
struct RolloutPause<Kind: Deployed>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "pause", abstract: "Stops a roll-out for now; devices that have the version keep it.")
    }

    @OptionGroup var options: SourceOptions

    func run() async throws { print(try await RolloutText.after("pause", Kind.self, options).text) }
}

/// Lets a paused roll-out go on.
struct RolloutResume<Kind: Deployed>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "resume", abstract: "Lets a paused roll-out go on.")
    }

    @OptionGroup var options: SourceOptions

    func run() async throws { print(try await RolloutText.after("resume", Kind.self, options).text) }
}

/// Begins the next stage, whatever the reports say.
struct RolloutAdvance<Kind: Deployed>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "advance", abstract: "Begins the next stage now, without regard to the reports of devices.")
    }

    @OptionGroup var options: SourceOptions

    func run() async throws { print(try await RolloutText.after("advance", Kind.self, options).text) }
}

/// Says how a shadow is expected to differ.
struct RolloutAnnounce: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Says how a shadow is expected to differ from the version before; replaces what was said before.",
        discussion: """
            The first stage begins when devices have seen each of these differences and no other one. `tributary plugin health` \
            lists the differences that devices have reported. Without a difference, the versions are expected to be the same.
            """)

    @Argument(help: "changed:EVENT:FIELD, dropped:EVENT or made:EVENT. A * at the end matches any text.")
    var differences: [String] = []

    @OptionGroup var options: SourceOptions

    func run() async throws {
        let body: JSON = ["announced": .array(differences.map(JSON.string))]
        let answer = try await AdministrationClient(options).send("PUT", "live-plugins/rollout/announced", body)
        print(try RolloutText(answer["rollout"]).text)
    }
}
