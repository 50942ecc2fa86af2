import Foundation
import Measuring
import Tributary

/// How long it takes until a server has everything that waited, from the making of the client to the last answer.
enum DeliveryBenchmark {
    struct FillParameters: Decodable {
        let folder: String
        let events: Int
    }

    /// Leaves that many processed events in the outbox of a client in that folder.
    static func fill(_ parameters: FillParameters) throws {
        let analytics = Analytics(
            configuration: configuration(parameters.folder, server: "http://127.0.0.1:9/v1")
                .transport(LocalTransport(settings: LocalTransport.settings())))
        for number in 0..<parameters.events {
            analytics.track(name: "\(number)", properties: Samples.properties(number))
        }
        try analytics.awaitProcessed()
        let ended = DispatchSemaphore(value: 0)
        analytics.shutdown { ended.signal() }
        guard ended.wait(timeout: .now() + 60) == .success else { throw Failure("the client does not end") }
    }

    struct Parameters: Decodable {
        let folder: String
        /// Host of settings and batches.
        let server: String
    }

    private struct Duration: Encodable {
        let seconds: Double
        let cpuSeconds: Double
    }

    static func run(_ parameters: Parameters) throws {
        let start = Clock.monotonic()
        let analytics = Analytics(configuration: configuration(parameters.folder, server: parameters.server))
        // The main thread is served, as an app's is.
        Task.detached {
            let result = await analytics.flush(timeout: 60)
            do {
                guard result == .sent else { throw Failure("not everything was sent: \(result)") }
                try report(since: start)
            } catch { fail(error) }
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }

    struct BareParameters: Decodable {
        /// The bodies, one file each, in the order of their names.
        let bodies: String
        let port: UInt16
    }

    /// The floor: the same bodies over one connection, by a client that knows nothing but how to send them.
    static func runBare(_ parameters: BareParameters) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: parameters.bodies).sorted()
        let bodies = try files.map { name in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: parameters.bodies).appendingPathComponent(name)))
        }
        let start = Clock.monotonic()
        let connection = try BareConnection(port: parameters.port)
        for body in bodies { try connection.post(body) }
        try report(since: start)
    }

    private static func report(since start: Int64) throws {
        let seconds = Double(Clock.monotonic() - start) / 1e9
        try Measurement.write(Duration(seconds: seconds, cpuSeconds: Double(Clock.processTime()) / 1e9))
    }

    private static func configuration(_ folder: String, server: String) -> Configuration {
        Configuration(writeKey: "benchmark").apiHost(server).cdnHost(server).flushAt(.max).flushInterval(0)
            .storageMode(.diskAtURL(URL(fileURLWithPath: folder)))
    }
}
