import Foundation

/// What the client is a part of: an app, one of its extensions, or any other program.
struct Program: Sendable, Equatable {
    /// Tells it from the other programs of an app group.
    let name: String
    let isExtension: Bool

    init(name: String, isExtension: Bool) {
        self.name = name
        self.isExtension = isExtension
    }

    /// - Parameter extensionPoint: what an extension says that it extends. The extension of a watch app is the app itself.
    init(bundleIdentifier: String?, bundlePath: String, extensionPoint: String?) {
        name = bundleIdentifier ?? ""
        isExtension = bundlePath.hasSuffix(".appex") && extensionPoint != "com.apple.watchkit"
    }

    static let current = Program(
        bundleIdentifier: Bundle.main.bundleIdentifier, bundlePath: Bundle.main.bundlePath,
        extensionPoint: (Bundle.main.object(forInfoDictionaryKey: "NSExtension") as? [String: Any])?[
            "NSExtensionPointIdentifier"] as? String)

    /// What to know about an extension that does not share its app's folder; nil for everything else.
    func warning(_ mode: StorageMode) -> String? {
        guard isExtension, case .disk = mode else { return nil }
        return
            "this is an app extension with a folder of its own: its user is not the app's, and what it cannot send while it "
            + "runs waits until it runs again. With an app group, use storageMode(.sharedContainer(…)) in both"
    }
}
