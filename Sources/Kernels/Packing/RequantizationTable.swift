import TensorCore

/// The constants by which the vector form of a fixed-point multiplication reaches the reference's result.
///
/// For a multiplier m and a right shift e the reference computes `h = (x·m + 2³⁰) >> 31` and then rounds
/// `h / 2^e` with halves away from zero. Both roundings together are one 64-bit shift:
/// `(x·m + 2³⁰ + 2^(30+e) − (x < 0 ? 2³¹ : 0)) >> (31 + e)`, without the last two terms when e is 0. A single
/// rounding is `(x·m + 2^(30+e)) >> (31 + e)`.
package struct RequantizationTable {
  /// Bytes for one vector of columns.
  package static func byteCount(lanes: Int) -> Int { fixedPointByteCount(lanes: lanes) + 12 * lanes }
  /// Bytes of the fixed-point multiplications, which come first.
  package static func fixedPointByteCount(lanes: Int) -> Int { 36 * lanes }

  /// Writes the tables of some columns, a vector after another: lines where all of the columns have one, which are
  /// quicker, else the fixed-point multiplications and the lines that are checked.
  /// - Parameters:
  ///   - starts: the columns' starting values, which take over what a line adds to the sums.
  static func write(
    _ columns: RequantizedColumns, lines: RequantizationLines, lanes: Int, starts: UnsafeMutableRawPointer,
    to table: UnsafeMutableRawPointer
  ) {
    let vectors = stride(from: 0, to: columns.sums.count, by: lanes).map { first in
      columns[first..<min(first + lanes, columns.sums.count)]
    }
    let areLines = vectors.enumerated().allSatisfy { lines.fit($1, at: $0) }
    for (index, vector) in vectors.enumerated() {
      let table = table + index * byteCount(lanes: lanes)
      if areLines {
        write(lines[index], lanes: lanes, starts: starts + index * 4 * lanes, to: table)
      } else {
        write(
          vector.multipliers, zeroPoint: columns.quantization.outputZeroPoint,
          rounding: columns.quantization.rounding, lanes: lanes, to: table)
        writeCheckedLines(vector, lanes: lanes, to: table + fixedPointByteCount(lanes: lanes))
      }
    }
  }

  /// Writes the table of one vector of lines: slopes, offsets, and a shift of 0 for a mark.
  private static func write(
    _ line: RequantizationLines.Vector, lanes: Int, starts: UnsafeMutableRawPointer,
    to table: UnsafeMutableRawPointer
  ) {
    for lane in 0..<lanes {
      table.storeBytes(of: line.slopes[lane], toByteOffset: 4 * lane, as: Float.self)
      table.storeBytes(of: line.offsets[lane], toByteOffset: 4 * (lanes + lane), as: Float.self)
      let start = starts + 4 * lane
      start.storeBytes(of: start.load(as: Int32.self) &+ line.shifts[lane], as: Int32.self)
    }
    table.storeBytes(of: 0, toByteOffset: 16 * lanes, as: Int64.self)
  }

  /// Writes slopes, offsets, and offsets for sums below zero; zeros for columns that there are not, which never differ.
  private static func writeCheckedLines(
    _ columns: RequantizedColumns, lanes: Int, to table: UnsafeMutableRawPointer
  ) {
    let numbers = table.bindMemory(to: Float.self, capacity: 3 * lanes)
    for lane in 0..<lanes {
      let line = lane < columns.sums.count ? CheckedLine(columns, column: lane) : .zero
      numbers[lane] = line.slope
      numbers[lanes + lane] = line.offset
      numbers[2 * lanes + lane] = line.offsetBelow
    }
  }

  /// Writes the fixed-point table of up to `lanes` columns: the multipliers; those of the odd lanes moved to the even
  /// places; the offsets; then in 64 bits, for the even and for the odd lanes, addends, shifts and negative
  /// addends.
  /// - Parameters:
  ///   - multipliers: of the columns that exist; the others become 0.
  ///   - zeroPoint: added to every result.
  static func write(
    _ multipliers: ArraySlice<FixedPointMultiplier>, zeroPoint: Int32,
    rounding: FixedPointMultiplier.Rounding,
    lanes: Int, to table: UnsafeMutableRawPointer
  ) {
    for lane in 0..<lanes {
      let position = multipliers.startIndex + lane
      let factor =
        position < multipliers.endIndex
        ? multipliers[position] : FixedPointMultiplier(multiplier: 0, shift: 0)
      let term = Term(factor, rounding)
      table.storeBytes(of: factor.multiplier, toByteOffset: 4 * lane, as: Int32.self)
      if lane % 2 == 1 {
        table.storeBytes(of: factor.multiplier, toByteOffset: 4 * (lanes + lane - 1), as: Int32.self)
      }
      table.storeBytes(of: term.offset(zeroPoint), toByteOffset: 4 * (2 * lanes + lane), as: Int32.self)
      let half = 12 * lanes + (lane % 2) * 12 * lanes + 8 * (lane / 2)
      table.storeBytes(of: term.addend, toByteOffset: half, as: Int64.self)
      table.storeBytes(of: term.shift, toByteOffset: half + 4 * lanes, as: Int64.self)
      table.storeBytes(of: term.negativeAddend, toByteOffset: half + 8 * lanes, as: Int64.self)
    }
  }

  /// What is done with the product by a multiplier.
  struct Term {
    /// To the right, 1 to 62.
    let shift: Int64
    /// Added before the shift, and to negative products besides.
    let rounding: Int64
    let negativeAddend: Int64

    init(_ factor: FixedPointMultiplier, _ rounding: FixedPointMultiplier.Rounding) {
      // A left shift before the product is a smaller right shift after it.
      shift = 31 - Int64(factor.shift)
      // Without a right shift of its own the second rounding has nothing to do.
      let roundsTwice = rounding == .twice && factor.shift < 0
      let first = rounding == .once || factor.shift > 0 ? shift - 1 : 30
      self.rounding = (1 << first) + (roundsTwice ? 1 << (shift - 1) : 0)
      negativeAddend = roundsTwice ? -(1 << 31) : 0
    }

    /// 2⁶² keeps the sum positive for a logical shift; ``offset(_:)`` takes it away again, modulo 2³².
    var addend: Int64 { (1 << 62) + rounding }

    func offset(_ zeroPoint: Int32) -> Int32 {
      zeroPoint &- Int32(truncatingIfNeeded: Int64(1) << (62 - shift))
    }

    /// Result by sum.
    func slope(_ factor: FixedPointMultiplier) -> Double {
      Double(factor.multiplier) / Double(Int64(1) << shift)
    }

    /// What a sum of 0 gives before it is rounded to nearest, and the zero point added.
    func rise(areNegative: Bool) -> Double {
      Double(rounding + (areNegative ? negativeAddend : 0)) / Double(Int64(1) << shift) - 0.5
    }
  }
}
