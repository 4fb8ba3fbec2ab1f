/// The ids of pieces by their hashes, in open addressing.
struct PieceIndex: Sendable {
  private struct Slot {
    let value: UInt64
    let count: UInt32
    /// -1 in a free slot.
    let id: Int32
  }

  private var slots: [Slot]
  private var shift: UInt64

  /// Room for so many pieces.
  init(capacity: Int) {
    var (count, bits) = (16, UInt64(4))
    while 2 * count < 3 * capacity { (count, bits) = (2 * count, bits + 1) }
    slots = Array(repeating: Slot(value: 0, count: 0, id: -1), count: count)
    shift = 64 - bits
  }

  /// Whether there is room for so many pieces.
  func hasRoom(for count: Int) -> Bool { 3 * count <= 2 * slots.count }

  /// The place of a piece: that where it is, or a free one where it belongs.
  /// - Parameter isPiece: whether the piece of an id is this one, of the same hash and number of bytes.
  @inline(__always)
  func place(of hash: PieceHash, _ isPiece: (Int32) -> Bool) -> Int {
    let (value, count) = (hash.value, UInt32(truncatingIfNeeded: hash.count))
    let slots = slots.span
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: ((value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    while true {
      let slot = slots[place]
      if slot.id < 0 { return place }
      if slot.value == value, slot.count == count, hash.isExact || isPiece(slot.id) { return place }
      place = (place + 1) & mask
    }
  }

  /// The id at a place; nil where it is free.
  @inline(__always)
  func id(at place: Int) -> Int32? {
    let id = slots[place].id
    return id < 0 ? nil : id
  }

  /// Puts a piece to its place.
  mutating func put(_ hash: PieceHash, _ id: Int32, at place: Int) {
    slots[place] = Slot(value: hash.value, count: UInt32(truncatingIfNeeded: hash.count), id: id)
  }
}
