import Tributary
import TributaryJSON

/// The last head of the log of deployments that this device has seen, in the file `live-plugins-log.json`.
///
/// Without a folder, or when the disk refuses the file, the head is kept in memory until the process ends. Without an
/// earlier head, the first one is believed.
final class SeenLog: Sendable {
    private static let maximumBytes = 4096

    private let file: KeptFile?
    private let last = LockBox<LogHead?>(nil)

    init(folder: KeptFolder?) { file = folder?.file("live-plugins-log.json") }

    /// The last head; nil before the first one.
    func head(_ report: (String) -> Void) -> LogHead? {
        if let head = last.withLock({ $0 }) { return head }
        do {
            guard let bytes = try file?.read(Self.maximumBytes) else { return nil }
            guard let head = LogHead(try JSON.parse(bytes)) else {
                report("live-plugins-log.json holds no head of a log, so the next one is believed")
                return nil
            }
            last.withLock { $0 = head }
            return head
        } catch {
            report("the last head of the log of deployments cannot be read: \(error)")
            return nil
        }
    }

    /// Keeps a head that follows from the last one.
    func keep(_ head: LogHead, _ report: (String) -> Void) {
        guard last.withLock({ $0 }) != head else { return }
        last.withLock { $0 = head }
        do {
            try file?.replace(with: head.json.encoded())
        } catch {
            report("the head of the log of deployments cannot be stored on disk: \(error)")
        }
    }
}
