import Foundation
import Measuring
import Tributary

/// The process that is killed, and the one after it.
enum SurvivalBenchmark {
    struct Parameters: Decodable {
        let folder: String
        /// Host of settings and batches.
        let server: String
        let events: Int
    }

    private struct End: Encodable {
        let result: String
    }

    /// Tracks events and says after each call that it returned, until it is killed.
    static func track(_ parameters: Parameters) throws {
        let analytics = client(parameters)
        for number in 0..<parameters.events {
            analytics.track(name: "\(number)", properties: Samples.properties(number))
            let line = Array("\(number)\n".utf8)
            guard write(STDOUT_FILENO, line, line.count) == line.count else { throw Failure("nobody listens") }
        }
        // Whoever started this process ends it.
        while true { pause() }
    }

    /// Delivers what an earlier process left, without tracking anything.
    static func deliver(_ parameters: Parameters) throws {
        let analytics = client(parameters)
        // A process whose main thread is served, as an app's is.
        Task.detached {
            let result = await analytics.flush(timeout: 30)
            do { try Measurement.write(End(result: "\(result)")) } catch { fail(error) }
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }

    private static func client(_ parameters: Parameters) -> Analytics {
        Analytics(
            configuration: Configuration(writeKey: "benchmark").apiHost(parameters.server).cdnHost(parameters.server)
                .flushInterval(0.05).storageMode(.diskAtURL(URL(fileURLWithPath: parameters.folder))))
    }
}
