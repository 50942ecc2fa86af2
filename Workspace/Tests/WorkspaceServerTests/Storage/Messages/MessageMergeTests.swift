import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Merging files of message ids") struct MessageMergeTests {
    private func file(_ number: Int64, _ count: Int, day: Int64 = 0) -> MessageMerge.File {
        MessageMerge.File(number: number, day: Day(number: day), count: count)
    }

    @Test("Eight files of similar size of the newest day are merged, and fewer files are not")
    func growingDay() {
        let files = (1...8).map { file($0, 1_000) } + [file(9, 100_000)]
        #expect(MessageMerge.next(Array(files.dropFirst())) == [])
        #expect(MessageMerge.next(files).map(\.number).sorted() == Array(1...8))
    }

    @Test("The files of a day that has ended are merged, and a few late messages do not rewrite a large file")
    func endedDay() {
        let newest = file(9, 10, day: 1)
        #expect(MessageMerge.next([file(1, 1_000), file(2, 300), newest]).map(\.number).sorted() == [1, 2])
        #expect(MessageMerge.next([file(1, 1_000), file(2, 1), newest]) == [])
        let late = [file(1, 100_000), file(2, 1), file(3, 1), file(4, 2), file(5, 1), newest]
        #expect(MessageMerge.next(late).map(\.number).sorted() == [2, 3, 4, 5])
        #expect(MessageMerge.next([file(1, 5)]) == [])
        #expect(MessageMerge.next([]) == [])
    }

    @Test("A day of any size has few files, and each message is written a few times")
    func cost() {
        let (flushes, size) = (2_000, 65_536)
        var (files, written, most): ([MessageMerge.File], Int, Int) = ([], 0, 0)
        var number: Int64 = 0
        for _ in 0..<flushes {
            number += 1
            files.append(file(number, size))
            written += size
            while case let chosen = MessageMerge.next(files), !chosen.isEmpty {
                number += 1
                let merged = file(number, chosen.reduce(0) { $0 + $1.count })
                written += merged.count
                files = files.filter { !chosen.contains($0) } + [merged]
            }
            most = max(most, files.count)
        }
        #expect(files.reduce(0) { $0 + $1.count } == flushes * size)
        #expect(most <= 32)
        #expect(written <= 5 * flushes * size)
    }
}
