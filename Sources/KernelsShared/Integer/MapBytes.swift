import CIntrinsics

/// `y[i] = table[x[i]]` for `count` bytes, which may be the same memory; the table has 256.
@inline(never)
func mapBytes(_ table: UnsafeRawPointer, _ x: UnsafeRawPointer, _ y: UnsafeMutableRawPointer, _ count: Int) {
  var index = apus_map_bytes(table, x, y, count)
  while index < count {
    let byte = x.load(fromByteOffset: index, as: UInt8.self)
    y.storeBytes(
      of: table.load(fromByteOffset: Int(byte), as: UInt8.self), toByteOffset: index, as: UInt8.self)
    index &+= 1
  }
}
