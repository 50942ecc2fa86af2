// Mistakes that the compiler finds after the types fit, see Mistakes.swift.
import Foundation

final class NotSendable { var value = 0 }

func sent(_ object: NotSendable) {
    Task { @MainActor in object.value += 1 }  // mistake:
    object.value += 1
}

func queued(_ object: NotSendable) {
    DispatchQueue.main.async { object.value += 1 }  // mistake:
    object.value += 1
}

func unset(_ condition: Bool) -> Int {
    let value: Int
    if condition { value = 1 }
    return value  // mistake:
}
