import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite struct TraceReaderTests {
    private func rejection(_ change: (inout JSON) -> Void) -> Rejection.Code? {
        var trace = Events.trace("m")
        change(&trace)
        do throws(Rejection) {
            _ = try TraceReader.read(trace)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A trace keeps all its members")
    func keepsMembers() throws {
        let trace = try TraceReader.read(Events.trace("m", outcome: "dropped"))
        #expect(trace.messageId == "m")
        #expect(trace.isDropped)
        #expect(try JSON.parse(trace.body) == Events.trace("m", outcome: "dropped"))
    }

    @Test("An invalid trace is refused with the reason")
    func refusals() {
        #expect(rejection { _ in } == nil)
        #expect(rejection { $0 = "text" } == .notAnObject)
        #expect(rejection { $0["messageId"] = nil } == .badMessageId)
        #expect(rejection { $0["type"] = "other" } == .unknownType)
        #expect(rejection { $0["trackedAt"] = "yesterday" } == .badField)
        #expect(rejection { $0["outcome"] = "lost" } == .badField)
        #expect(rejection { $0["stages"] = nil } == .badField)
        #expect(rejection { $0["stages"] = [["stage": "before"]] } == .badField)
        #expect(rejection { $0["x"] = .string(String(repeating: "x", count: Limits.traceBytes)) } == .tooLarge)
    }
}
