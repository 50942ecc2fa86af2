import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// Uploads a bundle.
struct PluginDeploy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Deploys a JavaScript file as the live plugins of a source.",
        discussion: """
            Every deployment is a new version. A file that devices would not run is not deployed, unless --unchecked \
            is given. Probable mistakes are shown on standard error. `tributary plugin check` shows more.
            """)

    @Argument(help: "The JavaScript file.", completion: .file(extensions: ["js"]))
    var file: String

    @OptionGroup var options: SourceOptions

    @Option(help: "Sign the file with this key; `tributary plugin key` makes one.", completion: .file())
    var key: String?

    @OptionGroup var plan: PlanOptions

    @Option(help: "The source map of a generated file, unless it carries one.", completion: .file(extensions: ["map"]))
    var sourceMap: String?

    @Flag(help: "Deploy without checking the file.")
    var unchecked = false

    func run() async throws {
        let body = try InputFile.read(file)
        let map = try sourceMap.map(InputFile.read)
        let review = unchecked ? nil : BundleReview(bytes: [UInt8](body), name: file, sourceMap: map)
        if let problem = review?.findings.first(where: { $0.severity == .error }) {
            let place = problem.line.map { "\(problem.file ?? file):\($0)" } ?? file
            throw Failure("\(place): \(problem.message); nothing was deployed")
        }
        for finding in review?.findings ?? [] { Console.error(OutputStyle.errors.text(finding, in: file)) }
        let signature = try key.map { try SigningKey(file: $0).signature(of: body) }
        let client = try AdministrationClient(options)
        let headers = signature.map { ["Tributary-Signature": $0] } ?? [:]
        let answer = try await client.send(
            "PUT", "live-plugins", query: plan.query, body: body, type: "text/javascript", headers: headers)
        let (version, sha256) = (try answer.number("version"), try answer.text("sha256"))
        let percentage = try answer.number("percentage")
        let share = percentage < 100 ? ", for \(percentage) % of devices" : ""
        print(
            "live plugins version \(version), \(body.count) bytes, sha256 \(sha256)\(signature == nil ? "" : ", signed")\(share)"
        )
    }
}
