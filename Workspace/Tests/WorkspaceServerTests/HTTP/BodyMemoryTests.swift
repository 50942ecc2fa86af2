import HTTPTypes
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("The memory of bodies") struct BodyMemoryTests {
    private let megabyte = 1 << 20

    @Test("Senders without a key share a small part, and those with a key leave some to administrators")
    func shares() throws {
        let memory = BodyMemory(limit: 64 * megabyte)
        let stranger = BodyLoan(memory, .unknown)
        try stranger.take(8 * megabyte)
        let error = #expect(throws: Refusal.self) { try stranger.take(1) }
        #expect(error?.status == .serviceUnavailable)
        #expect(error?.retryAfter == 1)
        let source = BodyLoan(memory, .source)
        try source.take(40 * megabyte)
        #expect(throws: Refusal.self) { try source.take(1) }
        let administrator = BodyLoan(memory, .administrator)
        try administrator.take(16 * megabyte)
        #expect(throws: Refusal.self) { try administrator.take(1) }
        #expect(memory.bytes == 64 * megabyte)
    }

    @Test("The memory is given back with the loan, also of a sender that became known")
    func givingBack() throws {
        let memory = BodyMemory(limit: 64 * megabyte)
        do {
            let loan = BodyLoan(memory, .unknown)
            try loan.take(8 * megabyte)
            try loan.know(.source)
            let other = BodyLoan(memory, .unknown)
            try other.take(8 * megabyte)
            try loan.take(megabyte)
            #expect(memory.bytes == 17 * megabyte)
        }
        #expect(memory.bytes == 0)
    }

    @Test("The limit of a control group is a number, or none")
    func memoryLimit() {
        #expect(MemoryLimit.limit("536870912\n") == 536_870_912)
        #expect(MemoryLimit.limit("max\n") == nil)
        #expect(MemoryLimit.limit("") == nil)
        #expect(MemoryLimit.bytes > 0)
    }

    @Test(
        "The key of a body is found in its beginning",
        arguments: [
            (#"{"writeKey":"K","batch":[{"type":"#, "K"), (#" { "a":[1], "write\u004bey" : "K" ,"b"#, "K"),
            (#"{"batch":[{"writeKey":"K""#, nil), (#"{"a":{"writeKey":"K"},"b"#, nil), (#"{"writeKey":"K"#, nil),
            (#"["writeKey","K""#, nil), ("", nil),
        ])
    func key(_ text: String, _ expected: String?) throws {
        #expect(KeyedBody.key(inBeginning: Array(text.utf8), isCompressed: false) == expected)
        // The rest of a compressed body has not come.
        let compressed = try Gzip.compress(Array((text + String(repeating: " ", count: 20_000)).utf8))
        #expect(KeyedBody.key(inBeginning: compressed.dropLast(12), isCompressed: true) == expected)
        #expect(KeyedBody.key(inBeginning: Array(text.utf8), isCompressed: true) == nil)
    }
}
