#if os(Linux)
import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("The context of a Linux system")
struct LinuxContextTests {
    private let folder = Result { try TemporaryFolder() }

    private func context(_ environment: [String: String] = [:]) throws -> LinuxContext {
        LinuxContext(root: try folder.get().url, environment: environment, processName: "shop")
    }

    private func write(_ text: String, _ path: String) throws {
        let file = try folder.get().url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func link(_ path: String, to target: String) throws {
        let file = try folder.get().url.appendingPathComponent(path).path
        try? FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
    }

    @Test("The context has the distribution, the machine and the app")
    func fixed() throws {
        try write(
            """
            # comment
            NAME="Debian GNU/Linux"
            VERSION_ID='12'
            PRETTY_NAME="A \\"quoted\\" name"
            """, "etc/os-release")
        try write("Framework\n", "sys/class/dmi/id/sys_vendor")
        try write("Laptop 13\n", "sys/class/dmi/id/product_name")
        let fixed = try context().fixed
        #expect(fixed["os"] == ["name": "Debian GNU/Linux", "version": "12"])
        #expect(fixed["device"] == ["type": "linux", "manufacturer": "Framework", "model": "Laptop 13"])
        #expect(fixed["app"]?["name"] != nil)
    }

    @Test("Missing and unset facts are left out of the context")
    func absent() throws {
        try write("To Be Filled By O.E.M.\n", "sys/class/dmi/id/sys_vendor")
        try write("Raspberry Pi 5\0", "proc/device-tree/model")
        try write("6.1.0\n", "proc/sys/kernel/osrelease")
        let fixed = try context().fixed
        #expect(fixed["os"] == ["name": "Linux", "version": "6.1.0"])
        #expect(fixed["device"] == ["type": "linux", "model": "Raspberry Pi 5"])
        #expect(try context().changing.isEmpty)
    }

    @Test(
        "The locale is that of the environment",
        arguments: [
            (["LANG": "de_DE.UTF-8"], "de-DE"), (["LANG": "de_DE", "LC_ALL": "pt_BR@latin"], "pt-BR"),
            (["LC_ALL": "", "LC_MESSAGES": "fr", "LANG": "de_DE"], "fr"), (["LANG": "C.UTF-8"], nil),
            (["LANG": "POSIX"], nil), ([:], nil),
        ] as [([String: String], JSON?)])
    func locale(environment: [String: String], expected: JSON?) throws {
        #expect(try context(environment).changing["locale"] == expected)
    }

    @Test("The time zone follows changes during the process")
    func timezone() throws {
        try write("Europe/Berlin\n", "etc/timezone")
        #expect(try context().changing["timezone"] == "Europe/Berlin")
        try link("etc/localtime", to: "/usr/share/zoneinfo/America/New_York")
        #expect(try context().changing["timezone"] == "America/New_York")
        try link("etc/localtime", to: "../usr/share/zoneinfo/Etc/UTC")
        #expect(try context().changing["timezone"] == "Etc/UTC")
        #expect(try context(["TZ": ":Asia/Tokyo"]).changing["timezone"] == "Asia/Tokyo")
        #expect(try context(["TZ": "nonsense/zone"]).changing["timezone"] == nil)
    }

    @Test("The context has the kind of the active network")
    func network() throws {
        try write("unknown\n", "sys/class/net/lo/operstate")
        try write("up\n", "sys/class/net/eth0/operstate")
        #expect(try context().changing["network"] == ["wifi": false, "cellular": false])
        try write("up\n", "sys/class/net/wlan0/operstate")
        try write("", "sys/class/net/wlan0/wireless/status")
        try write("down\n", "sys/class/net/wwan0/operstate")
        #expect(try context().changing["network"] == ["wifi": true, "cellular": false])
        try write("down\n", "sys/class/net/wlan0/operstate")
        try write("up\n", "sys/class/net/wwan0/operstate")
        #expect(try context().changing["network"] == ["wifi": false, "cellular": true])
    }

    @Test("Damaged system files do no harm")
    func hostile() throws {
        try write(String(repeating: "NAME=\"x\n\\=\"='", count: 10_000), "etc/os-release")
        try link("etc/localtime", to: "/zoneinfo/")
        try write("\0\0", "etc/timezone")
        #expect(try context().fixed["os"]?["name"] != nil)
        #expect(try context().changing["timezone"] == nil)
        let quotes = OSRelease("A=\"\nB='\nC=\nD=\\\n=E\nF=x\\\\y")
        #expect(quotes.values == ["A": "\"", "B": "'", "F": "x\\y"])
    }
}
#endif
