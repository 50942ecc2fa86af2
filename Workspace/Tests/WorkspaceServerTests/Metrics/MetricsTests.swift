import CoreMetrics
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Metrics", .timeLimit(.minutes(30))) struct MetricsTests {
    @Test("Every kind of value is written as Prometheus reads it")
    func text() {
        let factory = PrometheusFactory(help: ["c_total": "What is counted."])
        Counter(label: "c_total", dimensions: [("b", "2")], factory: factory).increment(by: 2)
        Counter(label: "c_total", dimensions: [("b", "1")], factory: factory).increment()
        Counter(label: "c_total", dimensions: [("b", "1")], factory: factory).increment()
        Meter(label: "g", factory: factory).set(1.5)
        let lines = factory.text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "# HELP c_total What is counted.", "# TYPE c_total counter", #"c_total{b="1"} 2"#, #"c_total{b="2"} 2"#,
                "# TYPE g gauge", "g 1.5",
            ])
    }

    @Test("A histogram counts the values up to each bound")
    func histogram() {
        let factory = PrometheusFactory(help: [:])
        let timer = CoreMetrics.Timer(label: "t_seconds", dimensions: [("a", "x")], factory: factory)
        for milliseconds in [1, 2, 400, 60_000] { timer.recordNanoseconds(Int64(milliseconds) * 1_000_000) }
        let text = factory.text
        for line in [
            #"t_seconds_bucket{a="x",le="0.001"} 1"#, #"t_seconds_bucket{a="x",le="0.0025"} 2"#,
            #"t_seconds_bucket{a="x",le="0.5"} 3"#, #"t_seconds_bucket{a="x",le="10"} 3"#,
            #"t_seconds_bucket{a="x",le="+Inf"} 4"#, #"t_seconds_count{a="x"} 4"#, #"t_seconds_sum{a="x"} 60.403"#,
        ] { #expect(text.contains(line + "\n"), "\(line)") }
    }

    @Test("A value of a label cannot break out of its line")
    func escaping() {
        let factory = PrometheusFactory(help: [:])
        Counter(label: "c", dimensions: [("a", "x\"} 1\nevil 2\\")], factory: factory).increment()
        #expect(factory.text == "# TYPE c counter\nc{a=\"x\\\"} 1\\nevil 2\\\\\"} 1\n")
    }

    @Test("The metrics count accepted requests, their events and the answers")
    func server() async throws {
        try await TestWorkspace.run { workspace async throws in
            let client = workspace.client
            try await client.batch([Events.track(messageId: "a"), Events.track(messageId: "b")])
            try await client.batch([Events.track(messageId: "a"), ["type": "nonsense", "messageId": "c"]])
            #expect(try await client.batch([Events.track(messageId: "d")], writeKey: "unknown").status == 401)
            #expect(try await client.events().count == 2)
            #expect(try await client.get("/metrics/\(String(repeating: "x", count: 50))").status == 404)
            let answer = try await client.get("/metrics", headers: ["Authorization": "Bearer \(TestClient.token)"])
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type")?.hasPrefix("text/plain; version=0.0.4") == true)
            for line in [
                "tributary_acknowledged_requests_total 2", #"tributary_indexed_events_total{outcome="stored"} 2"#,
                #"tributary_indexed_events_total{outcome="duplicate"} 1"#,
                #"tributary_indexed_events_total{outcome="rejected"} 1"#, "tributary_waiting_requests 0",
                #"tributary_http_requests_total{area="ingest",status="200"} 2"#,
                #"tributary_http_requests_total{area="ingest",status="401"} 1"#,
                #"tributary_http_request_seconds_count{area="ingest"} 3"#,
                #"tributary_http_requests_total{area="health",status="404"} 1"#,
            ] { #expect(answer.text.contains(line + "\n"), "\(line)") }
            for line in answer.text.split(separator: "\n") {
                #expect(
                    line.wholeMatch(of: /# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{.+\})? [0-9.e+-]+/) != nil, "\(line)")
            }
            #expect(try await client.stranger.get("/metrics").status == 401)
        }
    }
}
