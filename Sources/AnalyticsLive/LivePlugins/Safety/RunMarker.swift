import Foundation
import Tributary
import TributaryJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that says what work a bundle's code does, so that the next launch knows during which work the process ended.
///
/// Processes end for many reasons (the user, the system, an operator), and sometimes while a script happens to run.
/// Such an end does not repeat at the same work. A script that ends the process does so again, because the work
/// returns: the bundle is loaded at each launch, and an event is processed until that succeeds. So the number of ends
/// in a row during one work counts. Work that succeeds no longer counts.
///
/// The file has "1" while code is running, else "0", then the eight bytes of the work, then the bundle and its record
/// of ends. Entering and leaving are one `write` each, below a microsecond, because they happen for each event.
/// Threading: one caller at a time.
final class RunMarker {
    /// The end of the last process during the work of a bundle.
    struct Death: Equatable {
        let bundle: BundleIdentity
        /// The number of processes in a row that ended during the same work of this bundle.
        let count: Int
    }

    /// The mark of the last process is not valid.
    struct Damage: Error, CustomStringConvertible {
        let description: String
    }

    /// The work during which processes ended, and their number.
    private struct Suspicion {
        let bundle: BundleIdentity
        let work: ScriptWork
        let count: Int
    }

    private static let inside = UInt8(ascii: "1")
    private static let outside = UInt8(ascii: "0")
    private static let headBytes = 9
    /// Far above the size of a mark. A larger file is not a mark.
    private static let maximumBytes = 4096

    let fileName: String
    private let folder: KeptFolder
    private let path: String
    private var file: Int32 = -1
    private var bundle: BundleIdentity?
    private var suspicion: Suspicion?
    private var work = ScriptWork.load
    private var depth = 0

    /// - Parameters:
    ///   - folder: of the client's write key.
    ///   - name: distinguishes this process from others that use the folder at the same time.
    init(folder: KeptFolder, name: String) {
        self.folder = folder
        fileName = "live-plugins-\(name).mark"
        path = folder.url.appendingPathComponent(fileName).path
    }

    deinit { close() }

    /// Reads the mark of the process before; nil when it did not end in a bundle's code.
    /// - Throws: when the mark cannot be read. No bundle is blamed then.
    func examine() throws(Damage) -> Death? {
        guard let bytes = try read() else { return nil }
        guard bytes.count > Self.headBytes, bytes[0] == Self.inside || bytes[0] == Self.outside,
            let json = try? JSON.parse(Array(bytes[Self.headBytes...])), let bundle = BundleIdentity(json)
        else { throw Damage(description: "its \(bytes.count) bytes are not a mark") }
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

    /// Sets the bundle that `enter` and `leave` are about.
    /// - Throws: the error of the disk. Then nothing is marked.
    func begin(_ bundle: BundleIdentity) throws {
        guard bundle != self.bundle || file < 0 else { return }
        try write(bundle)
    }

    /// Writes the file again when it was deleted.
    /// - Returns: whether it did.
    func restore() -> Bool {
        guard let bundle, access(path, F_OK) != 0 else { return false }
        do {
            try write(bundle)
            return true
        } catch {
            // The next look at the files tries again.
            self.bundle = bundle
            return false
        }
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

    /// Clears the suspicion: the work during which a process ended has succeeded this time.
    private func acquit() {
        suspicion = nil
        guard let bundle else { return }
        // When the disk refuses, only this protection is lost.
        try? write(bundle)
    }

    private var head: [UInt8] { [depth > 0 ? Self.inside : Self.outside] + work.bytes }

    /// Writes the mark. When the disk refuses, the client loses only this protection.
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
        var handle = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if handle < 0, errno == ENOENT {
            try folder.make()
            handle = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
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

// The system's functions, which methods with these names hide.
private func posixClose(_ file: Int32) -> Int32 { close(file) }
private func posixRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(file, bytes, count)
}
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }
