import Foundation
import TestSupport
import Testing
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session that answers by itself, as tests of apps have it.
private final class Session: HTTPSession {
    struct Task: UploadTask {
        let state = URLSessionTask.State.running
        let answer: @Sendable () -> Void
        func resume() { answer() }
    }

    let bodies: Atomic<[Data]>

    init(_ bodies: Atomic<[Data]>) { self.bodies = bodies }

    func uploadTask(
        with request: URLRequest, fromFile file: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void
    ) -> Task {
        Task { completionHandler(nil, nil, URLError(.unknown)) }
    }

    func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void
    ) -> Task {
        bodies.mutate { $0.append(bodyData ?? Data()) }
        return answer(request, "{}", completionHandler)
    }

    func dataTask(
        with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void
    ) -> Task {
        answer(request, #"{"integrations":{"Segment.io":{}}}"#, completionHandler)
    }

    func finishTasksAndInvalidate() {}

    private func answer(
        _ request: URLRequest, _ text: String, _ completion: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void
    ) -> Task {
        let url = request.url
        return Task {
            let response = url.flatMap {
                HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: nil)
            }
            completion(Data(text.utf8), response, nil)
        }
    }
}

@Suite("A session of the app's own")
struct OwnSessionSnippet {
    @Test("An app's own HTTPSession carries settings and batches")
    func carried() async {
        let bodies = Atomic(wrappedValue: [Data]())
        let client = Client { $0.httpSession(Session(bodies)) }
        client.analytics.track(name: "A")
        #expect(await client.flushed() == .sent)
        #expect(bodies.wrappedValue.count == 1)
        #expect(String(decoding: bodies.wrappedValue.first ?? Data(), as: UTF8.self).contains("\"event\":\"A\""))
        #expect(client.server.batches.isEmpty)
    }

    @Test("A URLSession is an HTTPSession")
    func system() {
        let session: any HTTPSession = HTTPSessions.urlSession()
        #expect(session is URLSession)
        session.finishTasksAndInvalidate()
    }
}
