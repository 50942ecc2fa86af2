import Foundation
import Hummingbird
import Logging
import NIOCore

/// The server of an app; the server knows one product.
enum ProductServer {
    /// Serves while the body runs, which gets the address.
    static func run<Value: Sendable>(_ body: @escaping @Sendable (URL) async throws -> Value) async throws -> Value {
        let (addresses, ready) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.get("product/7") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"id":7,"title":"Lamp","price":42.5}"#)))
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in ready.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "product") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            group.addTask {
                var iterator = addresses.makeAsyncIterator()
                guard let port = await iterator.next(), let url = URL(string: "http://127.0.0.1:\(port)/product/7")
                else {
                    throw CancellationError()
                }
                return try await body(url)
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let value = result { return value }
            }
            throw CancellationError()
        }
    }
}
