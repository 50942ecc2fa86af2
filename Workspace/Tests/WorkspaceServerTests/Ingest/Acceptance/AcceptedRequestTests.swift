import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct AcceptedRequestTests {
    @Test("The bytes of a journal record are the same in every version")
    func recordFormat() {
        let request = AcceptedRequest(
            form: .single(.screen), isCompressed: true, source: 3, receivedAt: 258, uploadedAt: -1, body: [9, 8])
        #expect(
            request.encoded == [
                1, 5, 3, 3, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 9, 8,
            ])
    }

    @Test("A request of every form is read as it was encoded")
    func roundTrip() {
        let forms: [RequestForm] = [.batch, .traces] + EventType.allCases.map { .single($0) }
        #expect(Set(forms.map(\.code)).count == forms.count)
        for form in forms {
            for uploadedAt in [nil, 7] as [Int64?] {
                let request = AcceptedRequest(
                    form: form, isCompressed: uploadedAt == nil, source: .max, receivedAt: .min, uploadedAt: uploadedAt,
                    body: Array("{}".utf8))
                #expect(AcceptedRequest(request.encoded) == request)
            }
        }
    }

    @Test("A record says whether a newer version wrote it") func newer() {
        #expect(!AcceptedRequest.isNewer([]))
        #expect(!AcceptedRequest.isNewer([0]))
        #expect(!AcceptedRequest.isNewer([1]))
        #expect(!AcceptedRequest.isNewer([2]))
        #expect(AcceptedRequest.isNewer([3]))
        #expect(!AcceptedRequest.isNewer(Array("strange".utf8)))
    }

    @Test(
        "Bytes that are no record make no request",
        arguments: [[], [1], [3] + [UInt8](repeating: 0, count: 40), [1, 99] + [UInt8](repeating: 0, count: 40)])
    func invalidRecord(_ bytes: [UInt8]) { #expect(AcceptedRequest(bytes) == nil) }
}
