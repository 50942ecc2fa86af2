import Foundation
public import Tributary
import TributaryJSON

/// The app tracked an event. The library emits one for each event of the client.
public struct InstrumentationSignal: RawSignal, DescribedSignal, Hashable {
    public var anonymousId: String = Signals.shared.anonymousId
    public var type: SignalType = .instrumentation
    public var timestamp: String = Date().iso8601()
    public var index: Int = indexToCome
    public var data: InstrumentationData

    /// The signal of an event.
    public init(event: any RawEvent) { self.init(data: InstrumentationData(rawEvent: .object(event.json))) }

    /// A signal with that data.
    public init(data: InstrumentationData) { self.data = data }

    var dataMembers: JSONObject { data.members }
}
