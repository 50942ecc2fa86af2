import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

#if !os(macOS)
@Suite("An app and its extensions share a folder")
struct SharedContainerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A client in a process of its own.
    private func client(
        _ name: String, isExtension: Bool, process: UInt64, server: TestServer = TestServer(),
        later seconds: TimeInterval = 0
    ) -> (client: Client, files: ProcessFiles) {
        let (url, files) = (folder.url, ProcessFiles(process))
        let client = Client(server: server, time: ManualTime(later: seconds)) {
            $0.storageMode(.sharedContainer(url)).program(name, isExtension: isExtension).files(files)
        }
        return (client, files)
    }

    private func silentServer() -> TestServer {
        let server = TestServer()
        server.silenceSettings()
        return server
    }

    @Test("A client in a shared container locks no file, so its process can be suspended at any moment")
    func noLocks() async {
        let (app, files) = client("app", isExtension: false, process: 1)
        app.analytics.identify(userId: "u-1")
        app.analytics.track(name: "A")
        #expect(await app.flushed() == .sent)
        #expect(files.locks == 0)
        await app.ended()
        #expect(files.locks == 0)
    }

    @Test("A diskAtURL folder in an app group is shared, other folders are not")
    func byPath() {
        let program = Program(name: "app", isExtension: false)
        let group = URL(fileURLWithPath: "/private/var/mobile/Containers/Shared/AppGroup/1F2E/Library")
        #expect(QueueSharing(mode: .diskAtURL(group), program: program) != nil)
        #expect(QueueSharing(mode: .diskAtURL(URL(fileURLWithPath: "/tmp")), program: program) == nil)
        #expect(QueueSharing(mode: .disk, program: program) == nil)
    }

    @Test("Each program has queues of its own in a shared container")
    func ownQueues() throws {
        let mode = StorageMode.sharedContainer(folder.url)
        let names = ["com.example.app", "com.example.app.widget", "com.example.app.share", ""]
        let numbers = try names.map { name in
            try #require(QueueSharing(mode: mode, program: Program(name: name, isExtension: false))).numbers
        }
        #expect(Set(numbers).count == names.count)
        for own in numbers { #expect(own.lowerBound >= 64 && own.upperBound < UInt64(Int64.max)) }
    }

    @Test("An extension has the user of its app")
    func identity() async {
        let (app, _) = client("app", isExtension: false, process: 1)
        app.analytics.identify(userId: "u-1", traits: ["plan": "pro"])
        let (widget, _) = client("app.widget", isExtension: true, process: 2)
        #expect(widget.analytics.userInfo == app.analytics.userInfo)
        #expect(widget.analytics.eventQueue.number != app.analytics.eventQueue.number)
        await widget.ended()
        await app.ended()
    }

    @Test("The app delivers the events of a suspended extension, and the extension goes on when it is resumed")
    func suspended() async {
        let server = TestServer()
        let extensionServer = silentServer()
        let (widget, widgetFiles) = client("app.widget", isExtension: true, process: 2, server: extensionServer)
        widget.analytics.track(name: "A")
        widget.analytics.track(name: "B")
        let number = widget.analytics.eventQueue.number
        // No code of the extension runs from here on.
        let (app, appFiles) = client("app", isExtension: false, process: 1, server: server, later: 120)
        app.begin()
        await app.reported(reason: "adopted")
        await server.confirmed(2)
        #expect(server.names == ["A", "B"])
        // The extension goes on, and its first write does not change the files that the app has now.
        widget.time.advance(by: 130)
        widget.analytics.track(name: "C")
        extensionServer.answerSettings([:])
        await widget.reported(reason: "recovered")
        widget.time.advance(by: 60)
        #expect(await widget.flushed() == .sent)
        #expect(widget.analytics.eventQueue.number != number)
        #expect(extensionServer.names.filter { $0 == "C" } == ["C"])
        let ids = (server.events + extensionServer.events).compactMap { $0["messageId"]?.stringValue }
        #expect(Set(ids).count == 3)
        #expect(appFiles.locks == 0 && widgetFiles.locks == 0)
        await widget.ended()
        await app.ended()
    }

    @Test("The queue of a running extension is not adopted")
    func running() async {
        let (widget, _) = client("app.widget", isExtension: true, process: 2, server: silentServer())
        widget.analytics.track(name: "A")
        let server = TestServer()
        let (app, _) = client("app", isExtension: false, process: 1, server: server, later: 30)
        app.analytics.track(name: "B")
        #expect(await app.flushed() == .sent)
        #expect(server.names == ["B"])
        await app.ended()
        await widget.ended()
    }

    @Test("A killed app gets its queue back at once, and an extension gets its queue after its lease")
    func killed() async {
        let (first, _) = client("app", isExtension: false, process: 1, server: silentServer())
        first.analytics.track(name: "A")
        let (next, _) = client("app", isExtension: false, process: 3, later: 1)
        #expect(next.analytics.eventQueue.number == first.analytics.eventQueue.number)
        #expect(await next.flushed() == .sent)
        #expect(next.server.names == ["A"])
        let (widget, _) = client("app.widget", isExtension: true, process: 2)
        let (other, _) = client("app.widget", isExtension: true, process: 4)
        #expect(widget.analytics.eventQueue.number != other.analytics.eventQueue.number)
        for client in [next, widget, other, first] { await client.ended() }
    }

    @Test("An extension without a shared folder gets a diagnostic")
    func explained() async {
        let path = "/App.app/PlugIns/Widget.appex"
        let program = Program(
            bundleIdentifier: "app.widget", bundlePath: path, extensionPoint: "com.apple.widgetkit-extension")
        #expect(program.warning(.disk)?.contains("sharedContainer") == true)
        #expect(program.warning(.sharedContainer(folder.url)) == nil)
        let app = Program(bundleIdentifier: "app", bundlePath: "/App.app", extensionPoint: nil)
        #expect(app.warning(.disk) == nil)
    }
}
#endif
