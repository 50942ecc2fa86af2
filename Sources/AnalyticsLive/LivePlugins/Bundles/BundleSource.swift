import Dispatch
import Foundation
import Tributary

/// The result of a search for a bundle.
enum BundleSupply: Sendable {
    /// This bundle runs. A new one was not on the device before.
    case bundle(ScriptBundle, isNew: Bool)
    /// No bundle runs.
    case nothing
    /// The bundle of the settings is not available now. The spare, if any, runs.
    case failure(reason: String, incident: VersionIncident, spare: ScriptBundle?)
    /// The bundle of the settings must not run on this device. The spare, if any, runs.
    case quarantined(ScriptBundle, reason: String, spare: ScriptBundle?)
}

/// Finds the bundle to run: the bundle of the settings, the last one that worked, or the app's fallback. It never
/// returns a bundle in quarantine, nor a deployed bundle without the signature that the app demands.
///
/// Unchecked because everything is constant; files are used on `queue` only.
final class BundleSource: @unchecked Sendable {
    private let queue = DispatchQueue(label: "tributary.liveplugins", qos: .utility)
    private let store: BundleStore?
    private let quarantine: BundleQuarantine
    private let signatures: SignatureCheck
    /// The last head of the log of deployments; nil when the app does not ask for the log.
    private let log: SeenLog?
    private let transport: any Transport
    private let fallback: URL?
    private let isFallbackForced: Bool
    private let report: @Sendable (String) -> Void
    /// Problems with files that were reported; each is reported once.
    private let reported = LockBox<Set<String>>([])

    /// - Parameter report: called when the app's fallback file or a stored bundle cannot be used.
    init(
        store: BundleStore?, quarantine: BundleQuarantine, signatures: SignatureCheck, log: SeenLog?,
        transport: any Transport, fallback: URL?, isFallbackForced: Bool, report: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.quarantine = quarantine
        self.signatures = signatures
        self.log = log
        self.transport = transport
        self.fallback = fallback
        self.isFallbackForced = isFallbackForced
        self.report = report
    }

    /// Searches for the bundle that the settings name; calls back once, on a thread of its own.
    func bundle(for reference: BundleReference?, _ completion: @escaping @Sendable (BundleSupply) -> Void) {
        queue.async { [self] in
            guard !isFallbackForced, let reference else { return completion(fallbackSupply()) }
            guard let url = reference.url else { return completion(.nothing) }
            if let stored = deployed().first(where: { isAsGood($0, as: reference) }) {
                return completion(supply(stored, isNew: false))
            }
            download(reference, url, completion)
        }
    }

    /// Fetches a bundle that is not going to be stored; calls back once, on a thread of its own. A forced fallback has none.
    func shadow(_ reference: BundleReference, _ completion: @escaping @Sendable (BundleSupply) -> Void) {
        queue.async { [self] in
            guard !isFallbackForced, let url = reference.url else { return completion(.nothing) }
            download(reference, url, completion)
        }
    }

    /// The newest bundle that worked, else the fallback. Never the given one, nor one in quarantine.
    func spare(besides bundle: ScriptBundle? = nil) -> ScriptBundle? {
        let isUsable = { [quarantine] (other: ScriptBundle) in
            other != bundle && quarantine.reason(against: other.identity) == nil
        }
        return deployed().first(where: isUsable) ?? fallbackBundle().flatMap { isUsable($0) ? $0 : nil }
    }

    /// Stores a running bundle for the next launch.
    func keep(_ bundle: ScriptBundle, onError: @escaping @Sendable (any Error) -> Void) {
        queue.async { [store] in
            do { try store?.store(bundle) } catch { onError(error) }
        }
    }

    /// Waits until bundles are stored, or the disk has refused them. Does not wait for the network.
    func finish() { queue.sync {} }

    /// The stored bundles that this device would also accept from the network, newest first.
    private func deployed() -> [ScriptBundle] {
        guard let (bundles, problems) = store?.load() else { return [] }
        let new = reported.withLock { reported in problems.filter { reported.insert($0).inserted } }
        for problem in new { report(problem) }
        return bundles.filter { bundle in
            guard log == nil || bundle.isLogged else { return false }
            return signatures.objection(to: Array(bundle.source.utf8), signatures: bundle.signatures) == nil
        }
    }

    /// Whether a stored bundle is as new as the settings' one. Versions only grow, so a newer one was named by newer
    /// settings.
    private func isAsGood(_ stored: ScriptBundle, as reference: BundleReference) -> Bool {
        guard let version = stored.version, version >= reference.version else { return false }
        guard version == reference.version, let expected = reference.sha256 else { return true }
        return stored.identity.sha256 == expected
    }

    private func download(
        _ reference: BundleReference, _ url: URL, _ completion: @escaping @Sendable (BundleSupply) -> Void
    ) {
        send(TransportRequest(method: "GET", url: url, headers: ["Accept": "text/javascript, */*"])) { [self] answer in
            do throws(BundleCheck.Refusal) {
                let bundle = try BundleCheck.bundle(answer, for: reference, signatures: signatures)
                guard let log else { return completion(supply(bundle, isNew: true)) }
                lookUp(bundle, in: log, reference.log, completion)
            } catch {
                completion(failure(error))
            }
        }
    }

    /// Calls back on `queue`.
    private func send(
        _ request: TransportRequest,
        _ completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        // Not sent on `queue`, because callers wait for that queue and an app's own transport may block.
        DispatchQueue.global(qos: .utility).async { [self] in
            transport.send(request) { [queue] answer in queue.async { completion(answer) } }
        }
    }

    private func failure(_ refusal: BundleCheck.Refusal) -> BundleSupply {
        .failure(reason: "\(refusal)", incident: refusal.incident, spare: spare())
    }

    // MARK: The log of deployments

    private func lookUp(
        _ bundle: ScriptBundle, in log: SeenLog, _ proof: LogProof?,
        _ completion: @escaping @Sendable (BundleSupply) -> Void
    ) {
        let step = LogStep(
            version: bundle.version ?? 0, sha256: bundle.identity.sha256, proof: proof, seen: log.head(report))
        guard case .needsProof(let seen) = step, let proof else {
            return completion(supply(bundle, after: step, in: log))
        }
        send(proof.request(since: seen)) { [self] answer in
            completion(supply(bundle, after: LogStep(answer, since: seen, to: proof.head), in: log))
        }
    }

    private func supply(_ bundle: ScriptBundle, after step: LogStep, in log: SeenLog) -> BundleSupply {
        switch step {
        case .accepted(let head):
            log.keep(head, report)
            var logged = bundle
            logged.isLogged = true
            return supply(logged, isNew: true)
        case .needsProof:
            return failure(BundleCheck.Refusal(description: "the log of deployments was not proved"))
        case .refused(let reason):
            return failure(BundleCheck.Refusal(description: reason, incident: .signatureRefused))
        }
    }

    private func supply(_ bundle: ScriptBundle, isNew: Bool) -> BundleSupply {
        guard let reason = quarantine.reason(against: bundle.identity) else { return .bundle(bundle, isNew: isNew) }
        return .quarantined(bundle, reason: reason, spare: spare(besides: bundle))
    }

    private func fallbackSupply() -> BundleSupply {
        fallbackBundle().map { supply($0, isNew: false) } ?? .nothing
    }

    private func fallbackBundle() -> ScriptBundle? {
        guard let fallback else { return nil }
        do {
            let bytes = [UInt8](try Data(contentsOf: fallback))
            guard bytes.count <= LivePluginLimits.bundleBytes, let source = BundleCheck.text(bytes) else {
                let limit = LivePluginLimits.bundleBytes
                report("the fallback \(fallback.lastPathComponent) is not UTF-8 of at most \(limit) bytes")
                return nil
            }
            return ScriptBundle(version: nil, source: source)
        } catch {
            report("the fallback \(fallback.lastPathComponent) cannot be read: \(error.localizedDescription)")
            return nil
        }
    }
}
