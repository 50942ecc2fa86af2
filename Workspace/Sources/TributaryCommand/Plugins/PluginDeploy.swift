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

            The files of a folder are joined in the order of their names. Faults name the file in the folder.

            A file that devices would not run, or of which a part certainly cannot do what it says, is not deployed unless \
            --unchecked is given. Probable mistakes are shown on standard error, also destinations and events that the \
            workspace does not know.
            """)

    @Argument(help: "The JavaScript file, or a folder of them.", completion: .file(extensions: ["js"]))
    var file: String

    @OptionGroup var options: SourceOptions

    @Option(help: "Sign the file with this key; `tributary plugin key` makes one.", completion: .file())
    var key: String?

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

    @Flag(
        name: [.long, .customLong("allow")],
        help: "Deploy the file also when devices would not run it, or a part cannot do what it says.")
    var unchecked = false

    @Flag(help: "Do not ask before deployed plugins are removed.")
    var yes = false

    func run() async throws {
        let bundle = try BundleFile(file, sourceMap: sourceMap)
        if !unchecked { try review(bundle) }
        let client = try AdministrationClient(options)
        try await showWarnings(client, bundle)
        try await compare(bundle)
        let signature = try key.map { try SigningKey(file: $0).signature(of: bundle.bytes) }
        let headers = signature.map { ["Tributary-Signature": $0] } ?? [:]
        let places = place.map { [URLQueryItem(name: "where", value: $0.rawValue)] } ?? []
        let unchecked = unchecked ? [URLQueryItem(name: "unchecked", value: "true")] : []
        let answer = try await client.send(
            "PUT", "live-plugins", query: plan.query + places + unchecked, body: bundle.bytes, type: "text/javascript",
            headers: headers)
        let (version, sha256) = (try answer.number("version"), try answer.text("sha256"))
        let percentage = try answer.number("percentage")
        let share = percentage < 100 ? ", for \(percentage) % of devices" : ""
        print(
            "live plugins version \(version), \(bundle.bytes.count) bytes, sha256 \(sha256)\(signature == nil ? "" : ", signed")\(share)\(PluginWhere(answer).note)"
        )
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

    /// Shows probable mistakes. The workspace knows more of them than this side: the destinations and the stored events.
    private func showWarnings(_ client: AdministrationClient, _ bundle: BundleFile) async throws {
        let findings: [JSON]
        do {
            let query = [URLQueryItem(name: "last", value: "0")]
            let answer = try await client.send(
                "POST", "live-plugins/try", query: query, body: bundle.bytes, type: "text/javascript")
            findings = answer["findings"]?.elements ?? []
        } catch let error as Failure {
            return Console.error("the live plugins were not compared with stored events: \(error)")
        }
        for finding in findings where unchecked || finding["severity"] == "warning" {
            let text =
                "\(bundle.place(ofLine: finding["line"]?.intValue)): \(finding["message"]?.stringValue?.printable ?? "")"
            Console.error(OutputStyle.errors.text(finding["severity"]?.stringValue ?? "", text))
        }
    }

    /// Shows the removed and the added plugins, and asks when some are removed.
    private func compare(_ bundle: BundleFile) async throws {
        let bundles = try await DeployedBundles(options)
        let before: String
        if let newest = bundles.newest { before = try await bundles.text(of: newest) } else { before = "" }
        let comparison = BundleComparison(from: before, to: String(decoding: bundle.bytes, as: UTF8.self))
        Console.error(comparison.text)
        guard !comparison.removed.isEmpty, !yes else { return }
        switch Question.confirms("Deploy it?") {
        case true?: return
        case false?: throw Failure("nothing was deployed")
        case nil:
            throw Failure(
                "it would remove \(comparison.removed.joined(separator: ", ")); nothing was deployed; add --yes to deploy it"
            )
        }
    }
}
