import Apus

/// What callers have handles of.
protocol Handled: AnyObject, Sendable {
  /// What it is called in errors.
  static var name: String { get }
}

/// The objects that callers have handles of: numbers in the place of addresses, so that one that was released, or never was
/// any, is refused and not followed.
final class HandleTable: Sendable {
  static let shared = HandleTable()

  private struct Slot {
    var object: (any Handled)?
    /// How often the slot was used: another number in each handle.
    var turn: UInt32 = 0
  }

  private struct State {
    var slots: [Slot] = []
    var free: [Int] = []

    func index(_ handle: OpaquePointer) -> Int? {
      let bits = UInt(bitPattern: handle)
      let index = Int(bits & 0xFFFF_FFFF) >> 4
      guard bits & 0xF == 0, index < slots.count, slots[index].turn == UInt32(bits >> 32) else { return nil }
      return index
    }
  }

  private let state = Guarded(State())
  private static let capacity = 1 << 24

  /// A handle of an object, which is kept until it is released.
  /// - Throws: ``ApusError`` of kind `resources` where there are too many.
  func add(_ object: some Handled) throws(ApusError) -> OpaquePointer {
    let handle = state.withLock { state -> OpaquePointer? in
      if state.free.isEmpty {
        guard state.slots.count < Self.capacity else { return nil }
        state.free.append(state.slots.count)
        state.slots.append(Slot())
      }
      let index = state.free.removeLast()
      // No handle is NULL.
      let turn = max(state.slots[index].turn &+ 1, 1)
      state.slots[index] = Slot(object: object, turn: turn)
      return OpaquePointer(bitPattern: UInt(turn) << 32 | UInt(index) << 4)
    }
    guard let handle else { throw ApusError(.resources, "no room for another handle") }
    return handle
  }

  /// The object of a handle.
  /// - Throws: ``ApusError`` of kind `argument` for NULL, for a handle that was released, and for one of something else.
  func object<Object: Handled>(
    _ handle: OpaquePointer?, _: Object.Type = Object.self
  ) throws(ApusError) -> Object {
    guard let handle else { throw Arguments.missing("the \(Object.name)") }
    let found = state.withLock { state in state.index(handle).flatMap { state.slots[$0].object } }
    guard let found else {
      throw ApusError(
        .argument, "a handle of nothing", expected: "one of a \(Object.name) that is open",
        advice: "It was released, or never made.")
    }
    guard let object = found as? Object else {
      throw ApusError(.argument, "a handle of a \(type(of: found).name)", expected: "one of a \(Object.name)")
    }
    return object
  }

  /// Lets go of an object; does nothing where there is none.
  func release<Object: Handled>(_ handle: OpaquePointer?, _: Object.Type) {
    guard let handle else { return }
    // It ends outside of the lock.
    _ = state.withLock { state -> (any Handled)? in
      guard let index = state.index(handle), let object = state.slots[index].object, object is Object else {
        return nil
      }
      state.slots[index].object = nil
      state.free.append(index)
      return object
    }
  }
}
