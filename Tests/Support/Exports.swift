@_exported import TributaryTesting

/// The server and the clock that apps get for their tests, under the names that the tests here use.
package typealias TestServer = StubServer
package typealias ManualTime = ManualClock
