import Apus
import CApus
import CLibrary

public typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<apus_error>?>?

/// What a call does between its arguments and its status.
enum Entry {
  /// Once in a process: messages speak of settings by their keys, and `fork` is met.
  private static let isPrepared: Bool = {
    Door.enter(.binding)
    ForkGate.install()
    return true
  }()

  /// Does what a call asks for.
  /// - Returns: what it comes to; an error is given to the caller where he has a place for it.
  @inline(__always)
  static func call(_ place: ErrorPlace, _ body: () throws(ApusError) -> Void) -> apus_status {
    _ = isPrepared
    ForkGate.enter()
    defer { ForkGate.leave() }
    do throws(ApusError) {
      try body()
      return APUS_OK
    } catch {
      if let place { place.pointee = error.block() }
      return error.status
    }
  }

  /// The same for what cannot fail.
  static func call(_ body: () -> Void) {
    _ = isPrepared
    ForkGate.enter()
    defer { ForkGate.leave() }
    body()
  }

  /// Gives a text to the caller, as a block.
  static func give(
    _ text: some Sequence<UInt8>, to place: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) throws(ApusError) {
    var block = Block()
    _ = try block.add(Array(text) + [0])
    place.pointee = try block.make().address(0)
  }
}
