import Kernels
import TensorCore

extension ByteTable {
  /// The body of a node that applies the table: where it only flips bits, as between int8 and uint8 of one
  /// scale, without looking anything up.
  func fastestBody(_ kernels: KernelSet) -> Lowering.Body {
    guard let mask = flippedBits else { return body(kernels) }
    return { arguments in
      let source = arguments.input(0, as: UInt8.self)
      let target = arguments.output(0, as: UInt8.self)
      guard let from = source.baseAddress, let to = target.baseAddress else { return }
      for index in 0..<source.count { to[index] = from[index] ^ mask }
    }
  }
}
