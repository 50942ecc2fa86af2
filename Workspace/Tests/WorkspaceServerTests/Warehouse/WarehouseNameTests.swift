import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Names of tables and columns") struct WarehouseNameTests {
    @Test(
        "Names become snake_case",
        arguments: [
            ("Order Completed", "order_completed"), ("orderCompleted", "order_completed"),
            ("HTTPRequest2 Sent", "http_request2_sent"), ("OrderID", "order_id"), ("iPhone", "i_phone"), ("SKU", "sku"),
            ("already_clean", "already_clean"), ("  a--b..c  ", "a_b_c"), ("__private", "private"), ("$price", "price"),
            ("Größe", "größe"), ("Café", "café"), ("Cafe\u{301}", "café"), ("日本語", "日本語"), ("🎉", ""), ("", ""),
            ("_", ""),
            ("a\"b;DROP TABLE x", "a_b_drop_table_x"), ("A", "a"), ("a\u{0}b", "a_b"),
        ])
    func cleaning(name: String, clean: String) { #expect(WarehouseNames.clean(name) == clean) }

    @Test(
        "A name that needs quotes gets a line in front",
        arguments: [
            ("order", "_order"), ("select", "_select"), ("user", "_user"), ("xmin", "_xmin"), ("2nd_try", "_2nd_try"),
            ("orders", "orders"), ("timestamp", "timestamp"), ("value", "value"),
        ])
    func reserved(clean: String, name: String) {
        var names = WarehouseNames()
        #expect(names.finish(clean) == name)
        #expect(names.finish(clean) == name, "also when it is remembered")
    }

    @Test("A name that is too long is cut between characters and stays another name than one with the same beginning")
    func length() {
        var names = WarehouseNames()
        let long = String(repeating: "ä", count: 60)
        let (first, second) = (names.finish(long + "x"), names.finish(long + "y"))
        #expect(first != second)
        for name in [first, second] {
            #expect(name.utf8.count <= Limits.warehouseNameBytes)
            #expect(name.hasPrefix("ääää"))
        }
        let fitting = String(repeating: "a", count: Limits.warehouseNameBytes)
        #expect(names.finish(fitting) == fitting)
    }

    @Test("Events have tables beside those of all warehouses")
    func tables() {
        var names = WarehouseNames()
        #expect(names.table("Order Completed") == "order_completed")
        #expect(names.table("Users") == "_users")
        #expect(names.table("tracks") == "_tracks")
        #expect(names.table("_tributary_positions") == "tributary_positions")
        #expect(names.table("Order") == "_order")
        #expect(names.table("") == nil)
        let (party, heart) = (names.table("🎉"), names.table("❤️"))
        #expect(party?.hasPrefix("event_") == true)
        #expect(party != heart)
    }

    @Test("The limit of remembered names changes no name")
    func remembering() {
        var names = WarehouseNames()
        for number in 0...Limits.warehouseNames + 1 { _ = names.finish(names.part("Name \(number)")) }
        #expect(names.finish(names.part("Name 1")) == "name_1")
    }
}
