import ProgramSupport
import Testing
import Tributary
import TributaryJSON
import TributaryTesting

@testable import Storefront

@Suite struct ReceiptPrinterTests {
    @Test("The receipt printer prints and counts each event that arrives")
    func printsEvents() async throws {
        let lines = Locked<[String]>([])
        let printer = ReceiptPrinter { line in lines.withLock { $0.append(line) } }
        let client = TestClient()
        client.analytics.add(plugin: printer)
        client.analytics.manuallyEnableDestination(plugin: printer)
        let steps: [JSON] = [
            ["do": "screen", "title": "Home"], ["do": "add", "product": 1, "quantity": 3],
            ["do": "order", "order": "o-7", "shipping": Sessions.price("4.90"), "tax": Sessions.price("0.00")],
        ]
        for call in try Sessions.calls(steps) { call.perform(on: client.analytics) }
        await client.processed()
        #expect(printer.receivedCount == 3)
        #expect(
            lines.withLock { $0 } == [
                "  Screen                     Home",
                "  Product Added              pot-2  3 ×  24.95 EUR",
                "  Order Completed            o-7  3 pieces  79.75 EUR",
            ])
    }

    @Test("A receipt printer that neither the settings nor the app enables gets no event")
    func disabled() async {
        let printer = ReceiptPrinter(output: nil)
        let client = TestClient()
        client.analytics.add(plugin: printer)
        client.analytics.track(name: "Heartbeat")
        await client.processed()
        #expect(printer.receivedCount == 0)
    }
}
