import Foundation
import Testing
import Tributary

@testable import Storefront

/// The sessions that come with the repository.
@Suite struct SessionsDataTests {
    private let sessions: [Session]
    private let programme: Programme

    init() throws {
        let file = try InputFile(path: Sessions.file)
        sessions = try (0..<file.count).map { index in
            try file.read(index) { json, _ throws(InputProblem) in try Session(json: json) }
        }
        programme = try Programme.sessions(file)
    }

    @Test("The repository has at least 400 sessions in a file of less than 900 kB")
    func sessionCount() throws {
        #expect(sessions.count >= 400)
        #expect(programme.eventCount >= 6500)
        #expect(Set(sessions.map(\.name)).count == sessions.count)
        let size = try #require(FileManager.default.attributesOfItem(atPath: Sessions.file)[.size] as? Int)
        #expect(size < 900_000)
    }

    @Test("The sessions have at least 120 products in 12 categories")
    func productCount() {
        let products = Dictionary(
            sessions.flatMap(\.products).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(products.count >= 120)
        #expect(Set(products.values.map(\.category)).count >= 12)
        #expect(Set(sessions.flatMap(\.products)).count == products.count)
    }

    @Test("The sessions have currencies with 0, 2 and 3 decimals and names in many scripts")
    func currenciesAndScripts() {
        let currencies = Set(sessions.map(\.currency))
        #expect(currencies.count >= 8)
        #expect(Set(currencies.map(\.decimals)) == [0, 2, 3])
        let letters = sessions.flatMap { session in
            session.products.map(\.name) + [session.customer?.name ?? ""]
        }.joined().unicodeScalars
        let scripts: [ClosedRange<UInt32>] = [
            0xC0...0x17F, 0x370...0x3FF, 0x400...0x4FF, 0x590...0x5FF, 0x600...0x6FF, 0x900...0x97F, 0xE00...0xE7F,
            0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0x1F300...0x1FAFF,
        ]
        for script in scripts {
            #expect(letters.contains { script.contains($0.value) }, "\(String(script.lowerBound, radix: 16))")
        }
    }

    @Test("The sessions have returning customers, guests, companies, test accounts and abandoned carts")
    func visitors() {
        let customers = sessions.compactMap(\.customer)
        #expect(Set(customers.map(\.id)).count < customers.count)
        #expect(sessions.contains { $0.customer == nil })
        #expect(sessions.contains { $0.company != nil })
        #expect(customers.contains { $0.email.hasSuffix("@example.test") })
        #expect(customers.allSatisfy { $0.email.contains("@example.") })
        let abandoned = sessions.filter { session in
            let adds = session.steps.contains { if case .add = $0 { true } else { false } }
            return adds && !session.steps.contains { if case .order = $0 { true } else { false } }
        }
        #expect(abandoned.count >= 50)
    }

    @Test func everyKindOfEventOccurs() throws {
        var names: Set<String> = []
        var misnamed = 0
        var notes = 0
        var calls: [Call] = []
        for index in 0..<programme.callCount { calls.append(try programme.call(index)) }
        for call in calls {
            if let name = call.name { names.insert(name) }
            if call.properties?["product_did"] != nil { misnamed += 1 }
            if call.properties?["internal_note"] != nil { notes += 1 }
        }
        #expect(
            names.isSuperset(of: [
                "Products Searched", "Product List Viewed", "Product Viewed", "Product Added", "Product Removed",
                "Product Hovered", "Product Added to Wishlist", "Product Shared", "Product Reviewed", "Cart Viewed",
                "Coupon Applied", "Coupon Denied", "Checkout Started", "Checkout Step Completed", "Order Completed",
                "Order Refunded", "Debug Ping", "Heartbeat",
            ]))
        #expect(misnamed >= 50)
        #expect(notes >= 20)
        #expect(calls.contains { if case .alias = $0 { true } else { false } })
        #expect(calls.contains { if case .group = $0 { true } else { false } })
    }
}
