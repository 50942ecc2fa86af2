#if canImport(Darwin) && !os(macOS)
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes a request to the system, which sends it from a file when there is a network.
///
/// The system neither starts nor wakes the app for it, because the server's answer does not matter. It follows redirects and
/// asks no delegate about them, as Apple documents for background sessions, so there is no method for that here.
///
/// An object lives until `close`, because a session keeps its delegate.
///
/// Unchecked because the session is safe from any thread, and the rest is constant.
final class BackgroundSession: NSObject, CopySender, URLSessionDataDelegate, @unchecked Sendable {
    private let file: URL
    // Set before any other code has this object, because a session needs its delegate.
    private var session = URLSession.shared
    /// Counts the calls of `take` and `cancel`. The session answers later, and only the newest call may have an effect.
    private let orders = LockBox(0)

    /// - Parameters:
    ///   - name: distinguishes the session from others of the app.
    ///   - folder: the folder for the body.
    init(name: String, folder: URL) {
        file = folder.appendingPathComponent("background-upload")
        super.init()
        let configuration = URLSessionConfiguration.background(withIdentifier: "tributary." + name)
        configuration.sessionSendsLaunchEvents = false
        configuration.isDiscretionary = false
        configuration.httpShouldSetCookies = false
        configuration.allowsConstrainedNetworkAccess = false
        session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    func take(_ request: TransportRequest) {
        let order = nextOrder()
        session.getAllTasks { [self] tasks in
            guard orders.withLock({ $0 == order }) else { return }
            for task in tasks { task.cancel() }
            // The folder may have been deleted. When it cannot be made, the write below fails and reports it.
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            // Readable after the first unlock, like the journal, because the system sends while the device is locked.
            // Without the file there is no copy; the events themselves are on disk.
            guard (try? Data(request.body ?? []).write(to: file, options: .kept)) != nil else { return }
            var message = URLRequest(request)
            message.httpBody = nil
            session.uploadTask(with: message, fromFile: file).resume()
        }
    }

    func cancel() {
        let order = nextOrder()
        session.getAllTasks { [self] tasks in
            guard orders.withLock({ $0 == order }) else { return }
            for task in tasks { task.cancel() }
            // The file belongs to the copy.
            try? FileManager.default.removeItem(at: file)
        }
    }

    private func nextOrder() -> Int {
        orders.withLock {
            $0 += 1
            return $0
        }
    }

    func close() { session.finishTasksAndInvalidate() }
}
#endif
