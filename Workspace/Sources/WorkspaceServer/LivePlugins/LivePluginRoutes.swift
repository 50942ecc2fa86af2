import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import TributaryJSON
import WorkspaceCore

/// Routes that deploy live plugins and list the deployed versions.
struct LivePluginRoutes: Sendable {
    let sources: SourceRegistry
    let store: Store
    let trials: PluginTrials
    let places: PluginPlaces
    let gate: GoldenGate

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/sources/:writeKey/live-plugins") { _, context in
            try await list(context.pathParameter("writeKey"))
        }
        router.put("api/sources/:writeKey/live-plugins") { request, context in
            try await deploy(request, context.pathParameter("writeKey"))
        }
        router.post("api/sources/:writeKey/live-plugins/rollback") { request, context in
            try await rollBack(request, context.pathParameter("writeKey"))
        }
        router.post("api/sources/:writeKey/live-plugins/widen") { request, context in
            let percentage = try await AdministrationBody.json(request)["percentage"]?.intValue
            let writeKey = try context.pathParameter("writeKey")
            return try Self.deployed(try await sources.widen(to: try Self.percentage(percentage), of: writeKey))
        }
        router.delete("api/sources/:writeKey/live-plugins") { _, context in
            try await disable(context.pathParameter("writeKey"))
        }
    }

    private func list(_ writeKey: String) async throws -> Response {
        let source = try await sources.known(writeKey)
        let versions = try await store.bundles(source: source.id)
        return Response.json([
            "current": .number(versions.first?.version), "forAll": .number(source.bundleForAll?.version),
            "versions": .array(versions.map(\.summary)),
        ])
    }

    private func deploy(_ request: Request, _ writeKey: String) async throws -> Response {
        let buffer = try await AdministrationBody.bytes(request, limit: Limits.bundleBytes)
        let text = Data(buffer.readableBytesView)
        guard !text.isEmpty else { throw Refusal.invalid("the bundle is empty") }
        guard String(validating: text, as: UTF8.self) != nil else {
            throw Refusal.invalid("the bundle is not UTF-8 text")
        }
        let signature = try Self.signatures(request)
        let query = QueryReader(request)
        let percentage = try query.number("percentage").map { try Self.percentage(Int($0)) } ?? 100
        let plan = try query.rolloutPlan()
        let announced = try query.announcedDifferences()
        if plan != nil, query.text("percentage") != nil {
            throw Refusal.invalid("a deployment has a percentage or the stages of a plan, not both")
        }
        let place = try await places.place(query.text("where"), of: writeKey, hasStages: plan != nil)
        // A roll-out in stages is decided by many devices. The workspace is one.
        guard plan == nil || place.runsOnDevices else {
            throw Refusal.invalid(
                "a version for the workspace alone has no stages; deploy it to a share of devices, such as 5 %, and widen it"
            )
        }
        let reason = try query.deploymentReason()
        if try !query.flag("unchecked") { try await review(text, of: writeKey) }
        let broken = try await brokenRules(of: text, reason: reason, writeKey)
        let source = try await sources.deploy(
            text, sha256: SHA256.hash(data: text).hexadecimal, signature: signature,
            percentage: plan?.firstPercentage ?? percentage, place: place, plan: plan, announced: announced,
            reason: reason, broken: broken, to: writeKey)
        return try Self.deployed(source)
    }

    /// Refuses a bundle that devices would not run, or of which a part certainly cannot do what it says.
    private func review(_ text: Data, of writeKey: String) async throws {
        _ = try await sources.known(writeKey)
        // A server that was started by another program than `tributary` cannot run scripts.
        guard trials.program != nil, let source = String(validating: text, as: UTF8.self) else { return }
        let answer = try await trials.run(PluginTrialRequest(source: source, sample: .events([])))
        let errors = (answer["findings"]?.elements ?? []).filter { $0["severity"] == "error" }
        guard !errors.isEmpty else { return }
        let lines = errors.prefix(Self.namedErrors).map { finding in
            let place = finding["line"]?.intValue.map { "line \($0): " } ?? ""
            return place + (finding["message"]?.stringValue ?? "")
        }
        throw Refusal(.unusable, lines.joined(separator: "\n"))
    }

    /// The rules that a bundle breaks on the newest stored sessions, as sentences.
    /// - Throws: `Refusal` when it breaks some and there is no reason. Sessions that cannot be played are no obstacle with a
    ///   reason.
    private func brokenRules(of text: Data, reason: String?, _ writeKey: String) async throws -> [String] {
        let source = try await sources.known(writeKey)
        // Without a plan, no rule can be broken.
        guard trials.program != nil, !source.plan.events.isEmpty, let text = String(validating: text, as: UTF8.self)
        else { return [] }
        let answer: JSON
        do {
            answer = try await gate.review(text, of: writeKey)
        } catch let refusal as Refusal where reason != nil && refusal.reason == .unavailable {
            return ["the stored sessions could not be played: \(refusal.message)"]
        }
        let broken = (answer["broken"]?.elements ?? []).compactMap { $0["text"]?.stringValue }
        guard reason != nil || broken.isEmpty else {
            throw Refusal(
                .unusable,
                broken.prefix(Self.namedErrors).joined(separator: "\n")
                    + "\na reason is needed to deploy it nevertheless")
        }
        return Array(broken.prefix(Self.namedErrors))
    }

    /// The most errors and broken rules that one answer lists.
    private static let namedErrors = 20

    /// Version numbers only grow, so a roll-back is a new version with the content of an older one.
    private func rollBack(_ request: Request, _ writeKey: String) async throws -> Response {
        let source = try await sources.known(writeKey)
        let wanted = try await AdministrationBody.optionalJSON(request)?["version"]?.intValue
        let versions = try await store.bundles(source: source.id)
        let target = versions.first { version in
            guard !version.isOff else { return false }
            return wanted.map { version.version == Int64($0) } ?? (version.sha256 != versions.first?.sha256)
        }
        guard let target else {
            let what = wanted.map { "no version \($0)" } ?? "no version with other content"
            throw Refusal.notFound("the source \(writeKey) has \(what) to go back to")
        }
        let changed = try await sources.redeploy(target.version, of: writeKey)
        return try Self.deployed(changed, contentOf: target.version)
    }

    private func disable(_ writeKey: String) async throws -> Response {
        let nothing = Data()
        return try Self.deployed(
            try await sources.deploy(
                nothing, sha256: SHA256.hash(data: nothing).hexadecimal, signature: nil, percentage: 100, to: writeKey))
    }

    private static func percentage(_ number: Int?) throws(Refusal) -> Int {
        guard let number, (1...100).contains(number) else {
            throw .invalid("percentage is a number from 1 to 100")
        }
        return number
    }

    /// Only devices can check signatures, because only they know the keys. A text that cannot be a signature is refused.
    private static func signatures(_ request: Request) throws -> String? {
        guard let name = HTTPField.Name("Tributary-Signature"), let text = request.headers[name] else { return nil }
        let signatures = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard signatures.count <= mostSignatures else {
            throw Refusal.invalid("a bundle has at most \(mostSignatures) signatures")
        }
        guard !signatures.isEmpty, signatures.allSatisfy({ Data(base64Encoded: $0)?.count == signatureBytes }) else {
            throw Refusal.invalid(
                "Tributary-Signature is not the 64 bytes of an Ed25519 signature in base 64, or several with commas between them"
            )
        }
        return signatures.joined(separator: ",")
    }

    private static let signatureBytes = 64
    /// As many as devices look at.
    private static let mostSignatures = 16

    private static func deployed(_ source: Source, contentOf version: Int64? = nil) throws -> Response {
        guard let bundle = source.bundle else { throw Refusal.unknownSource(source.writeKey) }
        return Response.json(
            .object(withoutNulls: [
                "version": .number(bundle.version), "sha256": .string(bundle.sha256), "bytes": .number(bundle.bytes),
                "percentage": .number(bundle.percentage), "contentOf": .number(version),
                "where": .string(bundle.place.rawValue),
            ]))
    }
}

extension QueryReader {
    /// The reason for a deployment that breaks a rule; nil when there is none.
    fileprivate func deploymentReason() throws(Refusal) -> String? {
        guard let reason = text("reason") else { return nil }
        guard !reason.isBlank, reason.count <= Limits.deploymentReason else {
            throw .invalid("reason is a text of 1 to \(Limits.deploymentReason) characters")
        }
        return reason
    }
}
