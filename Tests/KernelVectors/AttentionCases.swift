import CIntrinsics

/// Attention of one head: every number of queries up to two panels, blocks of keys, causal or with a mask.
func attentionCases(
  _ results: KernelResults, _ kernel: ApusAttentionKernel, _ scratchByteCount: (Int, Int) -> Int,
  named name: StaticString, _ tolerance: KernelResults.Tolerance
) {
  for (queries, keys, width) in [
    (1, 1, 1), (2, 3, 4), (3, 7, 5), (5, 4, 8), (7, 9, 13), (8, 8, 16), (9, 33, 20), (17, 64, 64),
    (4, 300, 12),
    (13, 517, 32),
  ] {
    for kind in 0..<4 {
      let isCausal = kind == 1, hasMask = kind >= 2
      let q = Block.floats(queries * width, &results.random, times: 3)
      let (k, v) = (Block.floats(keys * width, &results.random), Block.floats(keys * width, &results.random))
      let mask = Block.floats(keys * queries, &results.random)
      for index in 0..<keys * queries where index % 5 == 3 { mask.pointer(Float.self)[index] = -.infinity }
      let scratch = Block(byteCount: scratchByteCount(queries, width))
      let result = Block(byteCount: 4 * queries * (width + 3))
      var attention = ApusAttention(
        queries: q.address, queryStride: 4 * width, keys: k.address, keyStride: 4 * width, values: v.address,
        valueStride: 4 * width, result: result.base, resultStride: 4 * (width + 3), queryCount: queries,
        keyCount: keys, headWidth: width, firstQuery: max(0, keys - queries), isCausal: isCausal ? 1 : 0,
        scale: 0.4, mask: hasMask ? UnsafePointer(mask.pointer()) : nil, maskStride: kind == 3 ? 4 * keys : 0,
        zeroesHidden: 1, scratch: scratch.base)
      kernel(&attention)
      results.record(name, result, tolerance, (queries, keys, width))
    }
  }
}
