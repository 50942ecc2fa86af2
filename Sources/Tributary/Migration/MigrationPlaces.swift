import Foundation

/// Where the other libraries keep their data on this system.
enum MigrationPlaces {
    /// Newest place first: older versions used the folders for documents and caches.
    static var analyticsSwift: [URL] {
        [.applicationSupportDirectory, .documentDirectory, .cachesDirectory].compactMap(folder)
    }

    /// The folder itself on systems whose apps live in a sandbox; on macOS one that is named after the executable.
    static var analyticsIOS: [URL] {
        #if os(macOS)
        guard let executable = Bundle.main.infoDictionary?["CFBundleExecutable"] as? String else { return [] }
        return [folder(.applicationSupportDirectory)].compactMap { $0 }.flatMap {
            [$0.appendingPathComponent(executable), $0.appendingPathComponent(executable + "-segment")]
        }
        #elseif os(tvOS)
        return [.cachesDirectory, .applicationSupportDirectory].compactMap(folder)
        #elseif os(Linux)
        return []  // the library is for Apple systems only
        #else
        return [folder(.applicationSupportDirectory)].compactMap { $0 }
        #endif
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
