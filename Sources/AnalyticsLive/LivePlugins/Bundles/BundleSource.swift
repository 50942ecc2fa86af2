import Dispatch
import Foundation
import Tributary

/// What comes of a search for a bundle.
enum BundleSupply: Sendable {
    /// This is to run; a new one was not on the device before.
    case bundle(ScriptBundle, isNew: Bool)
    /// Nothing is to run.
    case nothing
    /// The wanted one cannot be had, but perhaps another one.
    case failure(reason: String, spare: ScriptBundle?)
}

/// Finds the bundle that is to run: the one that the settings name, the last one that worked, the app's fallback.
///
/// Unchecked because everything is constant; files and network are used on `queue` only.
final class BundleSource: @unchecked Sendable {
    private let queue = DispatchQueue(label: "tributary.liveplugins", qos: .utility)
    private let store: BundleStore?
    private let transport: any Transport
    private let fallback: URL?
    private let isFallbackForced: Bool
    private let report: @Sendable (String) -> Void

    /// - Parameter report: told when the app's fallback file cannot be used.
    init(
        store: BundleStore?, transport: any Transport, fallback: URL?, isFallbackForced: Bool,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
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
            if let stored = store?.load(), isAsGood(stored, as: reference) {
                return completion(.bundle(stored, isNew: false))
            }
            download(reference, url, completion)
        }
    }

    /// The last bundle that worked, else the fallback; never the one that is given.
    func spare(besides bundle: ScriptBundle) -> ScriptBundle? {
        [store?.load(), fallbackBundle()].compactMap { $0 }.first { $0 != bundle }
    }

    /// Keeps a bundle that runs, for the next launch.
    func keep(_ bundle: ScriptBundle, onError: @escaping @Sendable (any Error) -> Void) {
        queue.async { [store] in
            do { try store?.store(bundle) } catch { onError(error) }
        }
    }

    /// Versions only grow, so a newer one than the settings name was named by newer settings.
    private func isAsGood(_ stored: ScriptBundle, as reference: BundleReference) -> Bool {
        guard let version = stored.version, version >= reference.version else { return false }
        guard version == reference.version, let expected = reference.sha256 else { return true }
        return ScriptBundle.sha256(of: Array(stored.source.utf8)) == expected
    }

    private func download(
        _ reference: BundleReference, _ url: URL, _ completion: @escaping @Sendable (BundleSupply) -> Void
    ) {
        let request = TransportRequest(method: "GET", url: url, headers: ["Accept": "text/javascript, */*"])
        transport.send(request) { [self] answer in
            queue.async { [self] in
                do {
                    completion(.bundle(try BundleCheck.bundle(answer, for: reference), isNew: true))
                } catch {
                    completion(.failure(reason: "\(error)", spare: store?.load() ?? fallbackBundle()))
                }
            }
        }
    }

    private func fallbackSupply() -> BundleSupply {
        fallbackBundle().map { .bundle($0, isNew: false) } ?? .nothing
    }

    private func fallbackBundle() -> ScriptBundle? {
        guard let fallback else { return nil }
        do {
            let bytes = [UInt8](try Data(contentsOf: fallback))
            guard bytes.count <= BundleCheck.maximumBytes, let source = BundleCheck.text(bytes) else {
                report(
                    "the fallback \(fallback.lastPathComponent) is not UTF-8 of at most \(BundleCheck.maximumBytes) bytes"
                )
                return nil
            }
            return ScriptBundle(version: nil, source: source)
        } catch {
            report("the fallback \(fallback.lastPathComponent) cannot be read: \(error.localizedDescription)")
            return nil
        }
    }
}
