import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// Uploads a bundle.
struct PluginDeploy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Replaces the live plugins of a source by those in a JavaScript file or folder.",
        discussion: """
            A deployment replaces all plugins and the generator that were deployed before, as a new version. The command \
            says which of them go and come. It asks before it removes one; without a terminal it needs --yes.

            Tables go out with the scripts and are replaced with them. Without --table or --keep-tables, the new version has only \
            the tables that the file brings with it.

            The files of a folder are joined in the order of their names. Faults name the file in the folder.

            Before the deployment, the newest 200 stored sessions are played under the version of today and under the new one, \
            and the command shows which events would change, vanish or come. When a planned event would vanish, it asks for a \
            reason; without a terminal it needs --reason. The reason goes into the audit log.

            A file that devices would not run, or of which a part certainly cannot do what it says, is not deployed unless \
            --unchecked is given. Probable mistakes are shown on standard error, also destinations and events that the \
            workspace does not know. When versions of the app restrict scripts (`LivePlugins(allow:)`), the file is tried on the \
            newest 200 stored events as they would run it, and the differences are warnings, too.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var file: String

    @OptionGroup var options: SourceOptions

    @Option(
        help: ArgumentHelp(
            "Sign the file with this key; `tributary plugin key` makes one.",
            discussion: "May be given several times, for apps that demand several signatures."),
        completion: .file())
    var key: [String] = []

    @Option(
        help: ArgumentHelp(
            "A signature that was made elsewhere, by `tributary plugin sign`.",
            discussion: """
                May be given several times. Apps that know one signature take the first one: those of --key come before those of \
                --signature.
                """))
    var signature: [String] = []

    @OptionGroup var plan: PlanOptions

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Where they run: device, workspace, or both.",
            discussion: """
                In the workspace, they change the events of clients that cannot run them, such as web pages and servers, before \
                the events are stored. With both, events that a device has already taken through them are left alone. Without \
                this option: where the version before ran. The first version runs where it reaches what the source sends: \
                everywhere when the newest events come from both kinds of clients, and on devices when there are no events.
                """))
    var place: PluginWhere?

    @Option(help: "The source map of a generated file, unless it carries one.", completion: .file(extensions: ["map"]))
    var sourceMap: String?

    @OptionGroup var tables: TableOptions

    @Flag(help: "Keep the tables of the version before that no --table replaces.")
    var keepTables = false

    @Flag(
        name: [.long, .customLong("allow")],
        help: "Deploy the file also when devices would not run it, or a part cannot do what it says.")
    var unchecked = false

    @Option(help: "Why the file is deployed although it breaks a rule. The audit log keeps the reason.")
    var reason: String?

    @Flag(help: "Do not ask before deployed plugins are removed.")
    var yes = false

    func validate() throws {
        if reason?.allSatisfy(\.isWhitespace) == true { throw ValidationError("--reason must not be empty") }
    }

    func run() async throws {
        let kept = try await keptTables()
        let bundle = try BundleFile(file, sourceMap: sourceMap, tables: tables, kept: kept)
        if !unchecked { try review(bundle) }
        let client = try AdministrationClient(options)
        let deployed = try await DeployedBundles(options)
        try await showWarnings(client, bundle, runsOnDevices: (place ?? deployed.place) != .workspace)
        try await compare(bundle, with: deployed)
        let reason = try await reasonAfterReview(client, bundle)
        let signatures = try key.map { try SigningKey(file: $0).signature(of: bundle.bytes) } + signature
        let headers = signatures.isEmpty ? [:] : ["Tributary-Signature": signatures.joined(separator: ",")]
        let places = place.map { [URLQueryItem(name: "where", value: $0.rawValue)] } ?? []
        let unchecked = unchecked ? [URLQueryItem(name: "unchecked", value: "true")] : []
        let reasons = reason.map { [URLQueryItem(name: "reason", value: $0)] } ?? []
        let answer = try await client.send(
            "PUT", "live-plugins", query: plan.query + places + unchecked + reasons, body: bundle.bytes,
            type: "text/javascript",
            headers: headers)
        let (version, sha256) = (try answer.number("version"), try answer.text("sha256"))
        let share = try plan.shadowPercentage.map { ", as a shadow for \($0) % of devices" } ?? Self.share(answer)
        print(
            "live plugins version \(version), \(bundle.bytes.count) bytes, sha256 \(sha256)\(Self.note(on: signatures.count))\(share)\(PluginWhere(answer).note)"
        )
    }

    private static func share(_ answer: JSON) throws -> String {
        let percentage = try answer.number("percentage")
        return percentage < 100 ? ", for \(percentage) % of devices" : ""
    }

    private static func note(on signatures: Int) -> String {
        switch signatures {
        case 0: ""
        case 1: ", signed"
        default: ", \(signatures) signatures"
        }
    }

    /// The tables of the newest version that has a text, when they are to stay.
    private func keptTables() async throws -> ScriptTables {
        guard keepTables else { return ScriptTables() }
        let bundles = try await DeployedBundles(options)
        guard let version = bundles.newestWithText else { return ScriptTables() }
        do {
            return try ScriptTables.parts(of: try await bundles.text(of: version)).tables
        } catch let fault as ScriptTables.Fault {
            throw Failure("the tables of version \(version) cannot be kept: \(fault)")
        }
    }

    /// Refuses a bundle with an error. The server does that, too, but only this side knows the names of the files.
    private func review(_ bundle: BundleFile) throws {
        let review = BundleReview(bytes: [UInt8](bundle.bytes), name: bundle.name, sourceMap: bundle.sourceMap)
        let errors = review.findings.filter { $0.severity == .error }
        guard let last = errors.last else { return }
        for error in errors.dropLast() { Console.error(OutputStyle.errors.text(error, in: bundle.name)) }
        let place = last.line.map { "\(last.file ?? bundle.name):\($0)" } ?? bundle.name
        let way = review.isUsable ? ", --allow deploys it as it is" : ""
        throw Failure("\(place): \(last.message); nothing was deployed\(way)")
    }

    /// Shows probable mistakes. The workspace knows more of them than this side: the destinations, the stored events, and what
    /// versions of the app allow to scripts.
    private func showWarnings(
        _ client: AdministrationClient, _ bundle: BundleFile, runsOnDevices: Bool
    ) async throws {
        let answer: JSON
        do {
            let query = [URLQueryItem(name: "last", value: runsOnDevices ? "200" : "0")]
            answer = try await client.send(
                "POST", "live-plugins/try", query: query, body: bundle.bytes, type: "text/javascript")
        } catch let error as Failure {
            return Console.error("the live plugins were not compared with stored events: \(error)")
        }
        for finding in answer["findings"]?.elements ?? []
        where unchecked || finding["severity"] == "warning" {
            let text =
                "\(bundle.place(ofLine: finding["line"]?.intValue)): \(finding["message"]?.stringValue?.printable ?? "")"
            Console.error(OutputStyle.errors.text(finding["severity"]?.stringValue ?? "", text))
        }
        for line in RestrictionText(answer).lines { Console.error(OutputStyle.errors.text("warning", line)) }
    }

    /// Shows the differences on stored sessions, and asks for a reason when a rule is broken.
    /// - Returns: the reason, if there is one.
    private func reasonAfterReview(_ client: AdministrationClient, _ bundle: BundleFile) async throws -> String? {
        let answer: JSON
        do {
            answer = try await client.send("POST", "live-plugins/review", body: bundle.bytes, type: "text/javascript")
        } catch let error as Failure {
            Console.error("stored sessions were not played: \(error)")
            return reason
        }
        // Without a stored session there is nothing to compare.
        guard answer["sessions"]?.intValue != 0 else { return reason }
        let review = ReviewText(answer, style: .errors)
        review.lines.forEach { Console.error($0) }
        guard review.isBroken, reason == nil else { return reason }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure("a rule is broken; nothing was deployed; --reason \"…\" says why it is deployed nevertheless")
        }
        let typed = Question.answer("Why is it deployed nevertheless?")?.trimmingCharacters(in: .whitespaces) ?? ""
        if typed.isEmpty { throw Failure("without a reason, nothing was deployed") }
        return typed
    }

    /// Shows the removed and the added plugins, and asks when some are removed.
    private func compare(_ bundle: BundleFile, with bundles: DeployedBundles) async throws {
        let before: String
        if let newest = bundles.newest { before = try await bundles.text(of: newest) } else { before = "" }
        let comparison = BundleComparison(from: before, to: String(decoding: bundle.bytes, as: UTF8.self))
        Console.error(comparison.text)
        guard !comparison.removed.isEmpty, !yes else { return }
        switch Question.confirms("Deploy it?") {
        case true?: return
        case false?: throw Failure("nothing was deployed")
        case nil:
            let removed = comparison.removed.joined(separator: ", ")
            let other = comparison.removesTables ? ", or --keep-tables" : ""
            throw Failure("it would remove \(removed); nothing was deployed; add --yes to deploy it\(other)")
        }
    }
}
