import ArgumentParser
import Foundation
import TributaryJSON

/// Uploads routing rules, or shows what they would do.
struct FilterDeploy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Replaces the destination filters of a source by the rules in a file.",
        discussion: """
            Rules that a device does not understand, or that cannot do what they say, are refused with the place and the \
            right form. What is probably a mistake is shown on standard error: the workspace tries the rules on the newest \
            10,000 stored events first.

            The file contains one rule, a list of rules, or a settings document with middlewareSettings.routingRules, \
            as for `tributary filter test`. The rules replace those of the source.

            With --dry-run nothing is deployed: the workspace runs the rules on the newest events that it has stored \
            for the source. It shows for each rule and destination how many events would be dropped and changed.

            With --rollout the rules go to more and more devices, as long as devices report that they are no worse than \
            the rules before: the share of dropped events is compared for each destination. New rules that are meant to \
            drop more need a --max-drop-change above what the dry run shows.
            """)

    /// How many of the newest stored events the rules are tried on before they are deployed.
    private static let triedEvents = 10_000

    @Argument(help: "The file of rules.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var options: SourceOptions

    @OptionGroup var plan: PlanOptions

    @Flag(help: "Deploy nothing; show what the rules would do to stored events.")
    var dryRun = false

    @Flag(
        name: [.long, .customLong("allow")],
        help: "Deploy rules also when they cannot do what they say, such as a comparison that no event satisfies.")
    var unchecked = false

    @Option(help: "With --dry-run: how many of the newest stored events to test; by default 50,000.")
    var last: Int?

    func validate() throws {
        if let last, last < 1 { throw ValidationError("--last is a number from 1") }
        if last != nil && !dryRun { throw ValidationError("--last goes with --dry-run") }
        if dryRun, plan.rollout != nil { throw ValidationError("give --dry-run or --rollout, not both") }
        if plan.sharePercentage != nil {
            throw ValidationError("filters are rolled out in stages that end with 100%, such as --rollout 5%,100%")
        }
        if plan.maxTimeChange != nil {
            throw ValidationError("devices do not report how long filters take, so there is no --max-time-change")
        }
    }

    func run() async throws {
        let client = try AdministrationClient(options)
        let body = Data(try RulesFile(file).rules.encoded())
        if dryRun {
            let query = last.map { [URLQueryItem(name: "last", value: String($0))] } ?? []
            let answer = try await client.send(
                "POST", "filters/dry-run", query: query, body: body, type: "application/json")
            return DryRunReport(answer, style: .output).print()
        }
        try await showFindings(client, body)
        let unchecked = unchecked ? [URLQueryItem(name: "unchecked", value: "true")] : []
        let answer = try await client.send(
            "PUT", "filters", query: plan.query + unchecked, body: body, type: "application/json")
        let rules = try answer.expected(answer.elements)
        let deployed = "\(rules.count) \(rules.count == 1 ? "rule" : "rules") deployed"
        guard plan.rollout != nil else { return print(deployed) }
        let rollout = JSON.object(try await client.get("filters/rollout").object("rollout"))
        print(
            "\(deployed) as version \(try rollout.number("version")), for \(try rollout.number("percentage")) % of devices"
        )
    }

    /// Tries the rules on stored events, and shows what is probably a mistake. Errors are for the deployment to refuse.
    private func showFindings(_ client: AdministrationClient, _ body: Data) async throws {
        let query = [URLQueryItem(name: "last", value: "\(Self.triedEvents)")]
        let answer: JSON
        do {
            answer = try await client.send(
                "POST", "filters/dry-run", query: query, body: body, type: "application/json")
        } catch let error as Failure {
            return Console.error("the rules were not tried on stored events: \(error)")
        }
        for finding in answer["findings"]?.elements ?? [] where unchecked || finding["severity"] == "warning" {
            let severity = finding["severity"]?.stringValue ?? ""
            Console.error(OutputStyle.errors.text(severity, finding["text"]?.stringValue?.printable ?? ""))
        }
    }
}
