import Foundation
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The scanner takes exactly what the parser takes, and what it takes apart is what the parser reads; a body is refused
/// with a reason or taken, whatever is in it.
enum IngestFuzzing {
    static func run(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            compare(bytes, buffer)
            readTime(String(decoding: bytes, as: UTF8.self))
            for form in [RequestForm.batch, .single(.track), .signals] { take(buffer, form) }
        }
    }

    private static func compare(_ bytes: [UInt8], _ buffer: UnsafeBufferPointer<UInt8>) {
        let parsed = try? JSON.parse(bytes)
        var scanner = JSONScanner(buffer)
        let isTaken = (try? scanner.document { scanner throws(JSONError) in _ = try scanner.value() }) != nil
        require(isTaken == (parsed != nil), "the scanner and the parser do not agree")
        guard let parsed else { return }
        let compact = CompactText.of(buffer)
        require((try? JSON.parse(compact)) == parsed, "without space it is something else")
        require(!compact.contains(0x0A), "it is not one line")
    }

    /// A time that was read is one that the protocol can write, and it reads the same from there.
    private static func readTime(_ text: String) {
        guard let time = EventTime.milliseconds(text) else { return }
        let written = ISO8601.string(milliseconds: time)
        require(EventTime.milliseconds(written) == time, "another time when it is written and read again")
    }

    /// What is asked for by name is the last member of that name.
    private static func take(_ buffer: UnsafeBufferPointer<UInt8>, _ form: RequestForm) {
        guard let scan = try? RequestScan(buffer, form) else { return }
        for item in scan.items { require(ScannedObject.json(item, buffer) != nil, "an item that was taken is no JSON") }
        guard form != .signals, let object = (try? JSON.parse(Array(buffer)))?.objectValue else { return }
        require(scan.writeKey == object["writeKey"]?.stringValue, "another write key")
        guard let key = form.itemsKey, scan.hasItems else { return }
        let items = scan.items.map { ScannedObject.json($0, buffer) }
        require(items == (object[key.description]?.elements ?? []).map { $0 }, "other items")
        compareMembers(scan, buffer, form)
    }

    /// Members that are found while the list is passed are those that are found in each item by itself.
    private static func compareMembers(
        _ scan: RequestScan, _ buffer: UnsafeBufferPointer<UInt8>, _ form: RequestForm
    ) {
        guard let detailed = try? RequestScan(buffer, form, members: EventReader.names) else {
            return require(false, "with members it is refused")
        }
        require(detailed.items == scan.items && detailed.objects.count == scan.items.count, "other items with members")
        for (item, object) in zip(detailed.items, detailed.objects) {
            var scanner = JSONScanner(buffer, at: item.lowerBound)
            let single = try? ScannedObject(&scanner, EventReader.names)
            require(object?.values == single?.values && object?.hasSpace == single?.hasSpace, "other members")
        }
    }

    /// Ends the process when something is not so: that is how libFuzzer learns of it.
    private static func require(_ isSo: Bool, _ what: @autoclosure () -> String) {
        if !isSo { fatalError(what()) }
    }
}
