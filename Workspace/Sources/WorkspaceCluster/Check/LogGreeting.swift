import NIOCore
import NIOPosix
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Reads how servers of NATS introduce themselves: each sends the line `INFO {…}` as soon as a client connects. That
/// needs no login.
package enum LogGreeting {
    private static let patience = Duration.seconds(3)
    private static let mostBytes = 64 << 10

    /// - Parameter addresses: as `ClusterAddresses.log` gives them.
    package static func servers(_ addresses: [String]) async -> [LogFacts.Server] {
        await withTaskGroup(of: (Int, LogFacts.Server).self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask { (index, await server(address)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func server(_ address: String) async -> LogFacts.Server {
        let (host, port) = parts(address)
        var server = LogFacts.Server("\(host):\(port)")
        do {
            guard let line = try await Attempt.within(patience, { try await line(host, port) }) else {
                server.failure = "no, not within \(patience.components.seconds) s"
                return server
            }
            read(line, into: &server)
        } catch {
            server.failure = "no: no server accepts a connection"
        }
        return server
    }

    /// The host and the port of an address that has both.
    static func parts(_ address: String) -> (host: String, port: Int) {
        let rest = address.split(separator: "@").last ?? ""
        let hostAndPort = rest.split(separator: "/").last ?? ""
        let colon = hostAndPort.lastIndex(of: ":") ?? hostAndPort.endIndex
        let host = hostAndPort[..<colon].filter { $0 != "[" && $0 != "]" }
        return (host, Int(hostAndPort[colon...].dropFirst()) ?? 0)
    }

    /// The first line that a server sends.
    private static func line(_ host: String, _ port: Int) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(2))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, Never>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound in
            var bytes: [UInt8] = []
            for try await buffer in inbound {
                bytes += Array(buffer.readableBytesView)
                if bytes.contains(UInt8(ascii: "\n")) || bytes.count > mostBytes { break }
            }
            return Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
        }
    }

    /// Takes the line of a server.
    static func read(_ line: [UInt8], into server: inout LogFacts.Server) {
        let name = Array("INFO ".utf8)
        guard line.count <= mostBytes, line.starts(with: name),
            let json = try? JSON.parse(Array(line.dropFirst(name.count)))
        else {
            server.failure = "no: it is no server of NATS"
            return
        }
        server.id = json["server_id"]?.stringValue ?? ""
        server.name = json["server_name"]?.stringValue ?? ""
        server.version = json["version"]?.stringValue ?? "unknown"
        server.cluster = json["cluster"]?.stringValue ?? ""
        server.mostBytes = json["max_payload"]?.numberValue.map { Int(clamping: Int64($0.double)) } ?? 0
        server.keepsStreams = json["jetstream"]?.boolValue ?? false
        server.group = json["connect_urls"]?.elements?.compactMap(\.stringValue) ?? []
    }
}
