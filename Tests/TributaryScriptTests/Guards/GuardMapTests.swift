import Foundation
import Testing

@testable import TributaryScript

/// Columns of the original, for scripts with many guards in a line.
@Suite struct GuardMapTests {
    @Test(
        "Each place of the rewritten script has its place in the original",
        arguments: [
            "function f() { for (;;) g() }", "for(;;){}\r\nwhile(x)f(()=>1)\rx=()=>{}\u{2028}const é=()=>'😀',b=()=>c;",
            "😀", "", "\n\n() => 1", "f(()=>1,()=>2,()=>3)\n\n\nwhile (a) while (b) {}",
        ])
    func places(source: String) throws {
        let guarded = try GuardedSource(source)
        // Each character of the original is found again in the rewritten script, line by line.
        let original = Self.lines(source)
        let rewritten = Self.lines(guarded.text)
        #expect(original.count == rewritten.count)
        for (number, line) in rewritten.enumerated() {
            var last = 1
            for column in 1...(line.count + 1) {
                let place = guarded.map.column(of: column, line: number + 1)
                #expect(place >= last && place <= original[number].count + 1)
                last = place
            }
            #expect(guarded.map.column(of: line.count + 1, line: number + 1) == original[number].count + 1)
            #expect(guarded.map.column(of: 1, line: number + 1) == 1)
        }
        #expect(guarded.map.column(of: 5, line: 1_000) == 5)
    }

    @Test("The places of names are found behind thousands of guards in one line")
    func minified() throws {
        let source = (0..<3_000).map { "let f\($0)=()=>\($0);" }.joined() + "MARK"
        let guarded = try GuardedSource(source)
        let found = try #require(guarded.text.range(of: "MARK"))
        let column = guarded.text.utf16.distance(from: guarded.text.startIndex, to: found.lowerBound) + 1
        #expect(guarded.map.column(of: column, line: 1) == source.utf16.count - 3)
    }

    private static func lines(_ text: String) -> [[UInt16]] {
        var lines: [[UInt16]] = [[]]
        let units = Array(text.utf16)
        for (index, unit) in units.enumerated() {
            let isHalf = unit == 0x0D && index + 1 < units.count && units[index + 1] == 0x0A
            if isHalf { continue }
            if [0x0A, 0x0D, 0x2028, 0x2029].contains(unit) {
                lines.append([])
            } else {
                lines[lines.count - 1].append(unit)
            }
        }
        return lines
    }
}
