import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("What a developer reads about an answer") struct AnswerWordsTests {
    private func text(_ answer: DeliveryPolicy.Answer, _ url: String) throws -> String {
        AnswerWords.text(answer, url: try #require(URL(string: url)))
    }

    @Test("The address is named, without a password, and so is the sentence of the server")
    func address() throws {
        #expect(try text(.init(status: 500), "https://h.test/v1/b") == " (https://h.test/v1/b)")
        #expect(try text(.init(status: 500), "https://user:secret@h.test/v1/b?key=x") == " (https://h.test/v1/b)")
        let limited = DeliveryPolicy.Answer(status: 429, sentence: "this source has sent its 1 events of today")
        #expect(
            try text(limited, "https://h.test/v1/b")
                == " (https://h.test/v1/b); the server says: this source has sent its 1 events of today")
    }

    @Test(
        "Usual mistakes in an address are recognised",
        arguments: [
            ("https://h.test:8484/v1/b", "SSL connect error", "write http:// in front"),
            (
                "https://h.test/v1/b", "An SSL error has occurred and a secure connection cannot be made.",
                "write http://"
            ),
            ("http://h.test/v1/b", "Server returned nothing (no headers, no data)", "write https:// in front"),
            ("http://h.test/v1/b", "The network connection was lost.", "write https:// in front"),
            ("https://h.test/v1/b", "SSL peer certificate or SSH remote key was not OK", nil),
            ("https://h.test/v1/b", "The network connection was lost.", nil),
            ("http://h.test/v1/b", "Timeout was reached", nil),
        ])
    func mistakes(_ url: String, _ failure: String, _ advice: String?) throws {
        let text = try text(.init(failure: failure), url)
        #expect(text.contains(advice ?? "(") && text.contains("write ") == (advice != nil), "\(text)")
    }

    @Test("Only a sentence of a JSON answer is shown, cut and without control signs")
    func sentence() {
        #expect(AnswerWords.sentence(in: Array(#"{"success":false,"error":"no"}"#.utf8)) == "no")
        for body in ["", "<html></html>", "[]", #"{"error":5}"#, #"{"error":""}"#] {
            #expect(AnswerWords.sentence(in: Array(body.utf8)) == nil)
        }
        let long = #"{"error":"a\u001b[2J\#(String(repeating: "x", count: 5_000))"}"#
        #expect(AnswerWords.sentence(in: Array(long.utf8))?.hasPrefix("a [2Jxx") == true)
        #expect(AnswerWords.sentence(in: Array(long.utf8))?.count == 300)
    }

    @Test("The diagnostic of a refused batch has the address and the sentence")
    func diagnostic() async {
        let server = TestServer()
        let client = Client(server: server)
        await client.processed()
        let body = #"{"success":false,"error":"this source has sent its 1 events of today"}"#
        server.answerNext(.success(TransportResponse(status: 429, headers: [:], body: Array(body.utf8))))
        client.analytics.track(name: "A")
        client.analytics.flush()
        await client.reported(.delivery, count: 1)
        let message = client.diagnostics.all(.delivery).first?.message ?? ""
        #expect(
            message.hasPrefix(
                "429: the server asks to try later (http://server.test/v1/b); the server says: this source has sent its 1 events "
                    + "of today; next try in"), "\(message)")
        #expect(client.analytics.deliveryState.obstacle?.text.contains("the server says: this source") == true)
    }
}
