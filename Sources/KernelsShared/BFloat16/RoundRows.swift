import CIntrinsics

// Float32 rows brought into the format of a product. Rows of the target are whole vectors long; what lies
// past the last element is zero, or meets zero weights.

/// Rounds rows to bfloat16.
@inline(never)
func roundRowsBFloat16(_ arguments: UnsafePointer<ApusRowStaging>) {
  let s = arguments.pointee
  forEachRow(s) { _, source, target in
    var element = 0
    while element < s.depth {
      let first = loadFloats(source + 4 &* element, s.depth &- element)
      let second = loadFloats(source + 4 &* (element &+ lanes), s.depth &- element &- lanes)
      (target + 2 &* element).storeBytes(of: apus_round_bf16(first, second), as: Int32Vector.self)
      element &+= 2 &* lanes
    }
  }
}
