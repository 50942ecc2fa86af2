import Foundation

/// The places where the other libraries keep their data on this system.
enum MigrationPlaces {
    /// The newest place comes first. Older versions used the folders for documents and caches.
    static var analyticsSwift: [URL] {
        [.applicationSupportDirectory, .documentDirectory, .cachesDirectory].compactMap(folder)
    }

    static var analyticsIOS: [URL] {
        analyticsIOS(
            on: system, support: folder(.applicationSupportDirectory), caches: folder(.cachesDirectory),
            executable: Bundle.main.infoDictionary?["CFBundleExecutable"] as? String)
    }

    /// The systems, as far as analytics-ios distinguishes them.
    enum System {
        /// iOS, watchOS, visionOS: each app has folders of its own.
        case sandboxed
        case tvOS
        case macOS
        /// Systems for which the library does not exist.
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

    /// The folders of analytics-ios. In a sandbox it uses the folder for support files itself. On macOS the folder has
    /// the name of the executable, with a suffix when a file had that name. On tvOS only the folder for caches is
    /// allowed, because the system deletes others.
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
        guard let domain else { return nil }  // on Linux neither library writes into the app's own domain
        return PreferenceFile(domain: domain)?.values[key]
        #else
        return (domain.map { UserDefaults(suiteName: $0) } ?? UserDefaults.standard)?.object(forKey: key)
        #endif
    }

    private static func folder(_ place: FileManager.SearchPathDirectory) -> URL? {
        FileManager.default.urls(for: place, in: .userDomainMask).first
    }
}
