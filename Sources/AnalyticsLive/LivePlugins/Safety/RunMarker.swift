import Foundation
import TributaryJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that says what a bundle's code is working on, so that the next launch knows during which work the process
/// ended.
///
/// Processes end for many reasons (the user, the system, an operator), and sometimes while a script happens to run.
/// Such an end does not repeat at the same work. A script that ends the process does so again, because the work
/// returns: the bundle is loaded at each launch, and an event is processed until that succeeds. So the number of ends
/// in a row at one work counts, and work that succeeds no longer counts.
///
/// The file: "1" while code is at work, else "0"; the eight bytes of the work; the bundle and what is held against it.
/// Entering and leaving are one `write` each, below a microsecond, because they happen for each event.
/// Threading: one caller at a time.
final class RunMarker {
    /// What the last process left.
    struct Death: Equatable {
        let bundle: BundleIdentity
        /// How often in a row a process ended at the same work of this bundle.
        let count: Int
    }

    /// The mark of the last process cannot be understood.
    struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// What a process ended at, and how often.
    private struct Suspicion {
        let bundle: BundleIdentity
        let work: ScriptWork
        let count: Int
    }

    private static let inside = UInt8(ascii: "1")
    private static let outside = UInt8(ascii: "0")
    private static let headBytes = 9
    /// Far above what is written; somebody else's file is not read on.
    private static let maximumBytes = 4096

    private let path: String
    private var file: Int32 = -1
    private var bundle: BundleIdentity?
    private var suspicion: Suspicion?
    private var work = ScriptWork.load
    private var depth = 0

    /// - Parameters:
    ///   - folder: of the client's write key.
    ///   - name: tells this process from others that use the folder at the same time.
    init(folder: URL, name: String) { path = folder.appendingPathComponent("live-plugins-\(name).mark").path }

    deinit { close() }

    /// Looks at what the process before left; nil when it did not end in a bundle's code.
    /// - Throws: when there is a mark that cannot be read. No bundle is blamed then.
    func examine() throws(Damage) -> Death? {
        guard let bytes = try read() else { return nil }
        guard bytes.count > Self.headBytes, bytes[0] == Self.inside || bytes[0] == Self.outside,
            let json = try? JSON.parse(Array(bytes[Self.headBytes...])), let bundle = BundleIdentity(json)
        else { throw Damage(description: "\(bytes.count) bytes that are no mark") }
        let known = ScriptWork(json["work"]).map { work in
            Suspicion(bundle: bundle, work: work, count: max(0, json["deaths"]?.intValue ?? 0))
        }
        suspicion = known
        guard bytes[0] == Self.inside else { return nil }
        let work = ScriptWork(bytes: bytes[1..<Self.headBytes])
        let before = known?.work == work ? known?.count ?? 0 : 0
        suspicion = Suspicion(bundle: bundle, work: work, count: before + 1)
        return Death(bundle: bundle, count: before + 1)
    }

    /// Says whose code `enter` and `leave` speak of from now on.
    /// - Throws: what the disk says; nothing is marked then.
    func begin(_ bundle: BundleIdentity) throws {
        guard bundle != self.bundle else { return }
        try write(bundle)
    }

    /// The bundle's code begins to work.
    func enter(_ work: ScriptWork) {
        depth += 1
        guard depth == 1 else { return }
        self.work = work
        mark()
    }

    /// The bundle's code has ended.
    func leave() {
        depth -= 1
        guard depth == 0 else { return }
        if let suspicion, suspicion.work == work, suspicion.bundle == bundle { acquit() } else { mark() }
    }

    /// Clears the suspicion: the work at which a process ended has succeeded this time.
    private func acquit() {
        suspicion = nil
        guard let bundle else { return }
        // When the disk refuses, only the protection is lost.
        try? write(bundle)
    }

    private var head: [UInt8] { [depth > 0 ? Self.inside : Self.outside] + work.bytes }

    /// When the disk refuses, the client loses this protection and nothing else.
    private func mark() {
        guard file >= 0 else { return }
        withUnsafeTemporaryAllocation(byteCount: Self.headBytes, alignment: 1) { bytes in
            bytes[0] = depth > 0 ? Self.inside : Self.outside
            bytes.storeBytes(of: work.fingerprint.littleEndian, toByteOffset: 1, as: UInt64.self)
            _ = pwrite(file, bytes.baseAddress, Self.headBytes, 0)
        }
    }

    /// Writes the whole file.
    private func write(_ bundle: BundleIdentity) throws {
        close()
        self.bundle = nil
        var json = bundle.json
        if let suspicion, suspicion.bundle == bundle {
            json["deaths"] = .number(JSONNumber(suspicion.count))
            json["work"] = suspicion.work.json
        }
        let handle = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard handle >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let bytes = head + json.encoded()
        guard posixWrite(handle, bytes, bytes.count) == bytes.count else {
            let code = errno
            _ = posixClose(handle)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        }
        file = handle
        self.bundle = bundle
    }

    /// The mark's bytes; nil when there is none.
    private func read() throws(Damage) -> [UInt8]? {
        let handle = open(path, O_RDONLY | O_CLOEXEC)
        guard handle >= 0 else {
            if errno == ENOENT { return nil }
            throw Damage(description: "it cannot be read: error \(errno)")
        }
        defer { _ = posixClose(handle) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        let count = posixRead(handle, &bytes, bytes.count)
        guard count >= 0 else { throw Damage(description: "it cannot be read: error \(errno)") }
        return Array(bytes[..<count])
    }

    private func close() {
        if file >= 0 { _ = posixClose(file) }
        file = -1
    }
}

// The system's functions, which methods of those names hide.
private func posixClose(_ file: Int32) -> Int32 { close(file) }
private func posixRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, bytes, count)
}
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }
