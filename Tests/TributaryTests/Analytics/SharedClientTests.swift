import TestSupport
import Testing

@testable import Tributary

@Suite("The shared client of an app")
struct SharedClientTests {
    @Test("shared() is the first client until it ends")
    func order() async {
        let clients = SharedClients()
        let (first, second) = (Client(), Client())
        #expect(clients.first == nil)
        clients.add(first.analytics)
        clients.add(second.analytics)
        #expect(clients.first === first.analytics)
        clients.remove(ObjectIdentifier(first.analytics))
        #expect(clients.first === second.analytics)
    }

    @Test("shared() does not keep the client alive")
    func released() {
        let clients = SharedClients()
        do {
            let client = Client()
            clients.add(client.analytics)
        }
        let other = Client()
        clients.add(other.analytics)
        #expect(clients.first === other.analytics)
    }

    @Test("A client is shared from its creation to its end, and a sibling for another write key never is")
    func life() async {
        let client = Client()
        #expect(SharedClients.all.contains(client.analytics))
        let sibling = client.analytics.sibling(writeKey: "OTHER")
        #expect(!SharedClients.all.contains(sibling))
        sibling.shutdown()
        await client.ended()
        #expect(!SharedClients.all.contains(client.analytics))
    }
}
