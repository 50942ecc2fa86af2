import NIOHTTP1
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Answers of a store with the interface of S3") struct S3AnswerTests {
    private static func answer(_ status: Int, _ body: String = "", retryAfter: Int64? = nil) throws -> ForwardingAnswer
    {
        let settings = try S3Settings([
            "endpoint": "https://s3.example.com", "bucket": "events", "accessKey": "AK",
        ])
        return S3Answer(status: .init(statusCode: status), body: body, retryAfter: retryAfter, settings: settings)
            .answer
    }

    private static func error(_ code: String, more: String = "") -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>\(code)</Code><Message>No.</Message>\(more)</Error>"
    }

    @Test(
        "Each error says what to do about it",
        arguments: [
            (403, "SignatureDoesNotMatch", "does not belong to the access key AK; store it again"),
            (403, "InvalidAccessKeyId", "does not know the access key AK"),
            (403, "RequestTimeTooSkewed", "the clock of this server is wrong"),
            (403, "AccessDenied", "may not write into the bucket events; allow it s3:PutObject"),
            (404, "NoSuchBucket", "there is no bucket events; make it, or correct the name"),
            (301, "PermanentRedirect", "in another region; correct region and endpoint"),
            (503, "SlowDown", "cannot take it at present; this is tried again"),
            (500, "InternalError", "cannot take it at present; this is tried again"),
            (400, "InvalidRequest", "does not take it"), (405, "MethodNotAllowed", "the interface of S3"),
        ])
    func advice(status: Int, code: String, advice: String) throws {
        guard case .unavailable(let text, nil) = try Self.answer(status, Self.error(code)) else {
            Issue.record("the answer was \(try Self.answer(status, Self.error(code)))")
            return
        }
        #expect(text.hasPrefix("\(status) \(code): "), "\(text)")
        #expect(text.contains(advice), "\(text)")
    }

    @Test("The region of the bucket is named when the store names it")
    func region() throws {
        let body = Self.error("AuthorizationHeaderMalformed", more: "<Region>eu-west-1</Region>")
        #expect(try Self.answer(400, body).text.contains("the bucket is in the region eu-west-1"))
    }

    @Test("Success is success, and the pause that the store asks for is kept")
    func success() throws {
        #expect(try Self.answer(200) == .accepted("200 OK"))
        guard case .unavailable(_, 30_000) = try Self.answer(503, retryAfter: 30_000) else {
            Issue.record("the pause is lost")
            return
        }
    }

    @Test(
        "A document that is none, or that holds more than words, is not shown",
        arguments: [
            "", "<Code>", "</Code><Code>", "<Code></Code>", "<Code>a\u{1B}[31m</Code>", "<Code><b>x</b></Code>",
            "<Code>é</Code>", "<Code>\(String(repeating: "a", count: 65))</Code>", "<html>not found</html>",
        ])
    func hostile(body: String) throws {
        #expect(try Self.answer(404, body).text.hasPrefix("404 Not Found: the endpoint has no such bucket"))
    }
}
