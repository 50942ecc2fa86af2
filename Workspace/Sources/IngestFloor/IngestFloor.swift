import Foundation
import Hummingbird
import Logging

/// Takes batches and answers as a workspace does, but keeps nothing: what the benchmarks compare a workspace with.
///
/// Prints the port that the system chose.
@main
struct IngestFloor {
    static func main() async throws {
        let router = Router()
        router.post("v1/b") { request, _ in
            _ = try await request.body.collect(upTo: 4 << 20)
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"success":true}"#)))
        }
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("tributary: listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                // Into a pipe, which is not a line at a time by itself.
                fflush(nil)
            },
            logger: Logger(label: "floor") { _ in SwiftLogNoOpLogHandler() })
        try await application.runService()
    }
}
