import CLibrary
import TensorCore

/// Looks for lines that round to what functions of a byte give: those beside the exact one are tried with the kernel
/// itself on all 256 bytes.
package struct ByteLineSearch {
  /// A function of stored numbers, about: what it gives before it is rounded and limited.
  package struct Function {
    package var slope: Double
    package var offset: Double
    /// How much more its rounding gives where it rises from its zero, and less where it falls.
    package var rise: Double

    package init(slope: Double, offset: Double, rise: Double = 0) {
      (self.slope, self.offset, self.rise) = (slope, offset, rise)
    }
  }

  private static let slopeNudges: [Int32] = [0, 1, -1, 2, -2]

  private let trial: ByteLines
  private let lanes: Int
  private let isSigned: Bool
  /// Bytes below the bend.
  private let below: Int
  /// All bytes, and what a line makes of them.
  private let storage: TensorStorage

  /// - Parameter bend: the stored byte at which the first functions are zero, where their rounding may change.
  package init(bend: Int32, isSigned: Bool, kernels: KernelSet) throws(ApusError) {
    lanes = kernels.integer.lanes
    self.isSigned = isSigned
    below = min(256, max(0, Int(bend) + (isSigned ? 128 : 0)))
    trial = try ByteLines(width: lanes, bend: bend, isSigned: isSigned, kernels: kernels)
    storage = try TensorStorage(byteCount: 512)
    for place in 0..<256 { storage.base.storeBytes(of: byte(at: place), toByteOffset: place, as: UInt8.self) }
  }

  /// All bytes, the least first.
  package var bytes: UnsafeRawPointer { UnsafeRawPointer(storage.base) }

  /// The byte at a place of ``bytes``.
  package func byte(at place: Int) -> UInt8 { UInt8(truncatingIfNeeded: isSigned ? place ^ 0x80 : place) }

  /// - Parameter results: of each of ``bytes``, as they are stored.
  /// - Returns: the line for a byte; nil where none was found.
  package func firstLine(_ function: Function, results: UnsafeRawPointer) -> ByteLines.Line? {
    let offset = function.offset - middle + function.slope * (middle - 128)
    let rise = function.slope < 0 ? -function.rise : function.rise
    for nudge in Self.slopeNudges {
      let slope = Float(function.slope).nudged(nudge)
      var (above, under): (Float?, Float?) = (nil, nil)
      for lift in BytePairResults.lifts {
        let line = ByteLines.Line(
          slope: slope, offset: Float(offset + rise + lift), offsetBelow: Float(offset - rise + lift))
        follow(line, ByteLines.Line())
        if above == nil, isFound(below..<256, results) { above = line.offset }
        if under == nil, isFound(0..<below, results) { under = line.offsetBelow }
        if let above, let under { return ByteLines.Line(slope: slope, offset: above, offsetBelow: under) }
      }
    }
    return nil
  }

  /// - Parameter results: of each of ``bytes``, as they are stored.
  /// - Returns: the line for what a first line gives; nil where none was found.
  package func secondLine(_ function: Function, results: UnsafeRawPointer) -> ByteLines.Line? {
    let offset = function.offset - middle + function.slope * middle
    for nudge in Self.slopeNudges {
      for lift in BytePairResults.lifts {
        let line = ByteLines.Line(slope: Float(function.slope).nudged(nudge), offset: Float(offset + lift))
        follow(ByteLines.Line(offset: -128, offsetBelow: -128), line)
        if isFound(0..<256, results) { return line }
      }
    }
    return nil
  }

  /// The stored number that the kernel counts as 0.
  private var middle: Double { isSigned ? 0 : 128 }

  private func follow(_ first: ByteLines.Line, _ second: ByteLines.Line) {
    trial.setAll(first, second)
    trial.run(bytes, into: storage.base + 256, rows: 256 / lanes)
  }

  private func isFound(_ places: Range<Int>, _ results: UnsafeRawPointer) -> Bool {
    memcmp(storage.base + 256 + places.lowerBound, results + places.lowerBound, places.count) == 0
  }
}
