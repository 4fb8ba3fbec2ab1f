import Statistics
import TensorCore

/// Elements to compute with: neither zeros, which some processors multiply faster, nor numbers too small for full
/// speed. The same for the same shape.
package enum RandomElements {
  /// Float32 in -1…1.
  package static func floats(_ shape: Shape) throws(ApusError) -> Tensor {
    var state = SplitMix64(seed: 1)
    return try Tensor((0..<shape.elementCount).map { _ in state.nextFloat() }, shape: shape)
  }

  /// Float16 in -1…1.
  static func halves(_ shape: Shape) throws(ApusError) -> Tensor {
    var state = SplitMix64(seed: 1)
    return try Tensor(TensorType(.float16, shape)) { bytes in
      for index in 0..<shape.elementCount {
        // Sign, an exponent of 2⁻⁸ to 2⁻¹, and any mantissa.
        let bits = state.next()
        let half = UInt16(truncatingIfNeeded: bits) & 0x83ff | UInt16(7 + bits >> 32 % 8) << 10
        bytes.storeBytes(of: half, toByteOffset: 2 * index, as: UInt16.self)
      }
    }
  }

  /// All 256 values of a type of 8 bits.
  package static func bytes(_ type: TensorType) throws(ApusError) -> Tensor {
    var state = SplitMix64(seed: 1)
    return try Tensor(type) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: state.next()) }
    }
  }
}

extension SplitMix64 {
  /// In -1…1.
  mutating func nextFloat() -> Float { Float(Int32(truncatingIfNeeded: next() >> 32)) / 0x1p31 }
}
