import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Finds free ports for servers of tests, and checks whether a server listens on a port.
public enum EngineSockets {
    /// Different ports that are free now. The system chooses them.
    public static func freePorts(_ count: Int) throws -> [Int] {
        var sockets: [Int32] = []
        // All sockets stay open until the last port is known.
        defer { for socket in sockets { close(socket) } }
        return try (0..<count).map { _ in
            let socket = stream()
            sockets.append(socket)
            var address = loopback(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
                }
            }
            guard isBound else { throw EngineProcess.Failure(description: "there is no free port: errno \(errno)") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    /// Whether a server accepts connections on a port.
    /// - Parameter host: an address in numbers.
    public static func isListening(_ port: Int, on host: String = "127.0.0.1") -> Bool {
        let socket = stream()
        defer { close(socket) }
        var address = loopback(port)
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return false }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func stream() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
        socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
