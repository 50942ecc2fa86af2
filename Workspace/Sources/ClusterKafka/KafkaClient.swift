import CKafka
import Foundation
import WorkspaceServer

/// A client of the library for one topic.
///
/// May be used from any thread. Its threads end when nobody has it any more.
final class KafkaClient: Sendable {
    enum Kind: Sendable {
        case producer, consumer
    }

    // The library may be called from any thread. The pointer is set once, before the object is shared.
    nonisolated(unsafe) let handle: OpaquePointer
    // As `handle`.
    nonisolated(unsafe) let topic: OpaquePointer
    private let kind: Kind

    /// Connects in the background; no broker has to answer yet.
    /// - Parameter settings: those of the library, by name.
    /// - Throws: `LogError.refused` when the library does not take a setting.
    init(_ kind: Kind, _ address: KafkaAddress, _ settings: [String: String]) throws(LogError) {
        let configuration = try Self.configuration(
            settings.merging(["bootstrap.servers": address.brokers.joined(separator: ",")]) { $1 })
        if kind == .producer { rd_kafka_conf_set_dr_msg_cb(configuration, KafkaDelivery.report) }
        var reason = [CChar](repeating: 0, count: 512)
        guard
            let handle = rd_kafka_new(
                kind == .producer ? RD_KAFKA_PRODUCER : RD_KAFKA_CONSUMER, configuration, &reason, reason.count)
        else {
            rd_kafka_conf_destroy(configuration)
            throw .refused(KafkaFailure.text(reason))
        }
        guard let topic = rd_kafka_topic_new(handle, address.topic, nil) else {
            rd_kafka_destroy(handle)
            throw .refused("\(address.topic) cannot be the name of a topic")
        }
        (self.handle, self.topic, self.kind) = (handle, topic, kind)
        listen()
    }

    deinit {
        // The library waits for its own threads.
        let (handle, topic, kind) = (UInt(bitPattern: handle), UInt(bitPattern: topic), kind)
        Thread.detachNewThread {
            let (handle, topic) = (OpaquePointer(bitPattern: handle), OpaquePointer(bitPattern: topic))
            if kind == .producer {
                // What is on its way is reported as given up.
                rd_kafka_purge(handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
                rd_kafka_flush(handle, 1_000)
            }
            rd_kafka_topic_destroy(topic)
            rd_kafka_destroy(handle)
        }
    }

    /// Calls what waits for reports, until nobody has the client any more.
    private func listen() {
        Thread.detachNewThread { [weak self] in
            func hears() -> Bool {
                guard let self else { return false }
                rd_kafka_poll(self.handle, 100)
                return true
            }
            while hears() {}
        }
    }

    private static func configuration(_ settings: [String: String]) throws(LogError) -> OpaquePointer {
        guard let configuration = rd_kafka_conf_new() else { throw .broken("the library makes no configuration") }
        var reason = [CChar](repeating: 0, count: 512)
        for (name, value) in settings {
            guard rd_kafka_conf_set(configuration, name, value, &reason, reason.count) == RD_KAFKA_CONF_OK else {
                rd_kafka_conf_destroy(configuration)
                throw .refused("\(name): \(KafkaFailure.text(reason))")
            }
        }
        // A broker that goes away is no news: calls find out. Without this the library writes to standard error.
        rd_kafka_conf_set_log_cb(configuration) { _, _, _, _ in }
        return configuration
    }
}
