import Foundation

/// Where the other libraries keep their data on this system.
enum MigrationPlaces {
    /// Newest place first: older versions used the folders for documents and caches.
    static var analyticsSwift: [URL] {
        [.applicationSupportDirectory, .documentDirectory, .cachesDirectory].compactMap(folder)
    }

    static var analyticsIOS: [URL] {
        analyticsIOS(
            on: system, support: folder(.applicationSupportDirectory), caches: folder(.cachesDirectory),
            executable: Bundle.main.infoDictionary?["CFBundleExecutable"] as? String)
    }

    /// The systems, as far as that library makes a difference between them.
    enum System {
        /// iOS, watchOS, visionOS: apps have folders of their own.
        case sandboxed
        case tvOS
        case macOS
        /// The library is for Apple's systems only.
        case other
    }

    private static var system: System {
        #if os(macOS)
        .macOS
        #elseif os(tvOS)
        .tvOS
        #elseif os(Linux)
        .other
        #else
        .sandboxed
        #endif
    }

    /// The folder itself on systems whose apps live in a sandbox; on macOS one that is named after the executable, with an
    /// ending where a file was in its way. The system deletes other folders of apps on tvOS than that for caches.
    static func analyticsIOS(on system: System, support: URL?, caches: URL?, executable: String?) -> [URL] {
        switch system {
        case .sandboxed: [support].compactMap { $0 }
        case .tvOS: [caches, support].compactMap { $0 }
        case .macOS:
            [executable, executable.map { "\($0)-segment" }].compactMap { name in
                name.flatMap { support?.appendingPathComponent($0) }
            }
        case .other: []
        }
    }

    static func preference(_ domain: String?, _ key: String) -> Any? {
        #if os(Linux)
        guard let domain else { return nil }  // neither library writes into an app's own domain here
        return PreferenceFile(domain: domain)?.values[key]
        #else
        return (domain.map { UserDefaults(suiteName: $0) } ?? UserDefaults.standard)?.object(forKey: key)
        #endif
    }

    private static func folder(_ place: FileManager.SearchPathDirectory) -> URL? {
        FileManager.default.urls(for: place, in: .userDomainMask).first
    }
}
