import Foundation

/// A port of this machine that is free, or a port with a listener that never answers.
final class ClosedDoor {
    private(set) var port = 0
    private var descriptor: Int32

    struct Failure: Error {
        let what: String
        let code: Int32
    }

    /// Takes a port; the system accepts connections, and no program answers them.
    init() throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard status else { throw Failure(what: "a port cannot be taken", code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Gives the port back: the system now refuses connections at once.
    func close() {
        guard descriptor >= 0 else { return }
        #if canImport(Darwin)
        Darwin.close(descriptor)
        #else
        Glibc.close(descriptor)
        #endif
        descriptor = -1
    }

    deinit { close() }
}
