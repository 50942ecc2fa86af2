import Foundation
import TributaryJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that says whether a bundle's code is at work, so that the next launch knows what the process died of.
///
/// Entering and leaving change one byte with one `write` each, below a microsecond, because they happen for each event.
/// Threading: one caller at a time.
final class RunMarker {
    /// What the last process left.
    struct Death: Equatable {
        let bundle: BundleIdentity
        /// How often this bundle's code was at work when a process ended.
        let count: Int
    }

    private static let inside = UInt8(ascii: "1")
    private static let outside = UInt8(ascii: "0")
    /// Far above what is written; somebody else's file is not read on.
    private static let maximumBytes = 4096

    private let path: String
    private var file: Int32 = -1
    private var bundle: BundleIdentity?
    private var deaths: [BundleIdentity: Int] = [:]
    private var depth = 0

    /// - Parameters:
    ///   - folder: of the client's write key.
    ///   - name: tells this process from others that use the folder at the same time.
    init(folder: URL, name: String) { path = folder.appendingPathComponent("live-plugins-\(name).mark").path }

    deinit { close() }

    /// Looks at what the process before left; nil when it did not end in a bundle's code.
    func examine() -> Death? {
        let handle = open(path, O_RDONLY | O_CLOEXEC)
        guard handle >= 0 else { return nil }
        defer { _ = posixClose(handle) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        let count = read(handle, &bytes, bytes.count)
        guard count > 1, let json = try? JSON.parse(Array(bytes[1..<count])), let bundle = BundleIdentity(json)
        else { return nil }
        let isDeath = bytes[0] == Self.inside
        let total = max(0, json["deaths"]?.intValue ?? 0) + (isDeath ? 1 : 0)
        deaths = [bundle: total]
        return isDeath ? Death(bundle: bundle, count: total) : nil
    }

    /// Says whose code `enter` and `leave` speak of from now on.
    /// - Throws: what the disk says; nothing is marked then.
    func begin(_ bundle: BundleIdentity) throws {
        guard bundle != self.bundle else { return }
        close()
        var json = bundle.json
        json["deaths"] = .number(JSONNumber(deaths[bundle] ?? 0))
        let handle = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard handle >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let bytes = [depth > 0 ? Self.inside : Self.outside] + json.encoded()
        guard write(handle, bytes, bytes.count) == bytes.count else {
            let code = errno
            _ = posixClose(handle)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
        file = handle
        self.bundle = bundle
    }

    /// The bundle's code begins to work.
    func enter() {
        depth += 1
        if depth == 1 { mark(Self.inside) }
    }

    /// The bundle's code has ended.
    func leave() {
        depth -= 1
        if depth == 0 { mark(Self.outside) }
    }

    /// A disk that refuses one byte costs the protection and nothing else.
    private func mark(_ byte: UInt8) {
        guard file >= 0 else { return }
        var byte = byte
        _ = pwrite(file, &byte, 1, 0)
    }

    private func close() {
        if file >= 0 { _ = posixClose(file) }
        file = -1
    }
}

/// The system's function, which a method of that name hides.
private func posixClose(_ file: Int32) -> Int32 { close(file) }
