import CIntrinsics
import Kernels
import TensorCore

/// Attention shared between threads: one head of one segment at a time, long segments in parts.
struct AttentionLowering: Sendable {
  private let attention: Attention
  private let kernel: @convention(c) (UnsafePointer<ApusAttention>) -> Void
  private let isBFloat16: Bool
  private let queryShape: Shape
  private let keyShape: Shape
  private let valueColumns: Int
  /// Where the numbers of the mask are, if there is one.
  private let mask: MaskLayout?
  /// What a mask is written from for each piece of work, behind the kernel's working memory, if it is.
  private let terms: DistanceTerms?
  /// Which keys a query sees; nil where it sees all of its segment.
  private let window: AttentionWindow?
  /// What hides the others, by distance.
  private let hidden: TensorStorage?
  private let threads: Int
  /// Bytes of working memory of one thread, and those of the kernel among them.
  private let threadBytes: Int
  private let kernelBytes: Int
  /// Multiplications with an addition that a thread does in a nanosecond, about.
  private let speed: Int
  /// Queries of one piece of work.
  private let queriesPerPart: Int

  init(_ attention: Attention, _ context: LoweringContext) throws(ApusError) {
    self.attention = attention
    queryShape = try context.operands.input(0).shape
    keyShape = try context.operands.input(1).shape
    valueColumns = try context.operands.input(2).shape[1]
    mask =
      context.operands.has(5)
      ? MaskLayout(
        try context.operands.input(5).shape, attention.maskForm, order: attention.maskOrder) : nil
    terms =
      attention.maskForm == .buckets
      ? try DistanceTerms(
        context.operands, heads: attention.heads, queries: queryShape[0], keys: keyShape[0]) : nil
    window = AttentionWindow(attention.window, keys: keyShape[0])
    hidden = try window?.mask()
    let (float, bfloat16) = (context.kernels.float, context.kernels.bfloat16)
    // There is no attention in int8: that takes bfloat16 where the kernels have its products.
    isBFloat16 =
      context.precision == .bfloat16 || context.precision == .int8 && bfloat16.hasProducts
    kernel = isBFloat16 ? bfloat16.attention : float.attention
    speed = isBFloat16 ? 10 * bfloat16.lanes : 5 * float.lanes
    threads = min(max(context.threads, 1), ThreadPool.shared.size)
    if terms != nil {
      queriesPerPart = DistanceTerms.queriesPerPart
    } else if let window {
      queriesPerPart = window.queriesPerPart
    } else {
      queriesPerPart = Self.queriesPerPart(
        queries: queryShape[0], segments: try context.operands.input(3).shape[0] - 1, heads: attention.heads,
        threads: threads)
    }
    let scratchByteCount = isBFloat16 ? bfloat16.attentionScratchByteCount : float.attentionScratchByteCount
    kernelBytes = scratchByteCount(min(queryShape[0], queriesPerPart), attention.headWidth)
    threadBytes = [kernelBytes, terms?.maskByteCount ?? 0].reduce(0) { $0 + TensorStorage.padded($1) }
    guard [threadBytes, threads].saturatingProduct < 1 << 48 else {
      throw ApusError(.resources, "\(threadBytes) bytes of working memory for each of \(threads) threads")
    }
  }

  /// Many, because each piece packs the keys and values of its head anew; but, for segments of about the same
  /// length, some pieces for every thread.
  private static func queriesPerPart(queries: Int, segments: Int, heads: Int, threads: Int) -> Int {
    let length = queries / max(segments, 1)
    for size in [1024, 512, 256] {
      let parts = (length + size - 1) / size
      if [parts, heads, segments].saturatingProduct >= 4 * threads { return size }
    }
    return 128
  }

  var lowering: Lowering {
    Lowering(
      "attention \(isBFloat16 ? "bf16" : "f32")", products: isBFloat16 ? .bfloat16 : .float32,
      scratchByteCount: threadBytes * threads
    ) { arguments throws(ApusError) in
      let segments = try AttentionSegments(arguments, queryRows: queryShape[0], keyRows: keyShape[0])
      if let mask { try segments.requireLengths(queries: mask.queries, keys: mask.keys) }
      if let terms { try segments.requireLengths(queries: terms.length, keys: terms.length) }
      if attention.window != nil { try segments.requireNoMoreQueriesThanKeys() }
      run(arguments, segments)
    }
  }

  private func run(_ arguments: borrowing KernelArguments, _ segments: AttentionSegments) {
    clear(arguments, 0..<segments.allQueries.lowerBound)
    clear(arguments, segments.allQueries.upperBound..<queryShape[0])
    var items = 0
    var products = 0
    for segment in 0..<segments.count {
      items += parts(segments.queries(segment).count) * attention.heads
      let keys = segments.keys(segment).count
      let seen = window.map { min(keys, $0.queriesPerPart + 2 * $0.reach) } ?? keys
      products += segments.queries(segment).count * seen
      if segments.keys(segment).isEmpty { clear(arguments, segments.queries(segment)) }
    }
    guard items > 0 else { return }
    let (total, overflow) = (2 * attention.heads * attention.headWidth).multipliedReportingOverflow(
      by: products)
    let perItem = (overflow ? Int.max : total) / speed / items
    ThreadPool.shared.parallel(
      count: items, nanosecondsPerItem: perItem, threads: min(threads, arguments.threads)
    ) { range, worker in
      attend(range, arguments, segments, scratch: arguments.scratch + worker * threadBytes)
    }
  }

  private func parts(_ queries: Int) -> Int { (queries + queriesPerPart - 1) / queriesPerPart }

  private func clear(_ arguments: borrowing KernelArguments, _ rows: Range<Int>) {
    let width = attention.heads * attention.headWidth
    guard let output = arguments.output(0, as: Float.self).baseAddress else { return }
    (output + rows.lowerBound * width).initialize(repeating: 0, count: rows.count * width)
  }

  /// Does the pieces of work `range`, counted segment by segment, head by head, part by part.
  private func attend(
    _ range: Range<Int>, _ arguments: borrowing KernelArguments, _ segments: AttentionSegments,
    scratch: UnsafeMutableRawPointer
  ) {
    var first = 0
    for segment in 0..<segments.count where first < range.upperBound {
      let (queries, keys) = (segments.queries(segment), segments.keys(segment))
      let parts = parts(queries.count)
      let here = range.clamped(to: first..<(first + parts * attention.heads))
      first += parts * attention.heads
      if keys.isEmpty { continue }
      for item in here {
        let (head, part) = (item - (first - parts * attention.heads)).quotientAndRemainder(dividingBy: parts)
        let start = part * queriesPerPart
        attend(
          arguments, queries.dropFirst(start).prefix(queriesPerPart), position: start, keys, segment: segment,
          head: head, scratch)
      }
    }
  }

  /// - Parameters:
  ///   - position: of the first query in its segment.
  ///   - keys: those of the segment.
  private func attend(
    _ arguments: borrowing KernelArguments, _ queries: Range<Int>, position: Int, _ keys: Range<Int>,
    segment: Int, head: Int, _ scratch: UnsafeMutableRawPointer
  ) {
    guard let q = arguments.inputAddress(0), let k = arguments.inputAddress(1),
      let v = arguments.inputAddress(2)
    else { return }
    let width = attention.headWidth
    let column = head * width
    let keyColumn = head / (attention.heads / attention.keyHeads) * width
    let columns = attention.heads * width
    let window = self.window.flatMap { $0.hides(keys: keys.count) ? $0 : nil }
    let seen = window?.keys(of: position..<position + queries.count, among: keys.count) ?? 0..<keys.count
    let firstKey = keys.lowerBound + seen.lowerBound
    var call = ApusAttention(
      queries: q + 4 * (queries.lowerBound * queryShape[1] + attention.queryOffset + column),
      queryStride: 4 * queryShape[1],
      keys: k + 4 * (firstKey * keyShape[1] + attention.keyOffset + keyColumn),
      keyStride: 4 * keyShape[1],
      values: v + 4 * (firstKey * valueColumns + attention.valueOffset + keyColumn),
      valueStride: 4 * valueColumns,
      result: arguments.outputAddress(0) + 4 * (queries.lowerBound * columns + column),
      resultStride: 4 * columns, queryCount: queries.count, keyCount: seen.count, headWidth: width,
      firstQuery: position - seen.lowerBound, isCausal: attention.isCausal ? 1 : 0, scale: attention.scale,
      mask: nil, maskStride: 0, zeroesHidden: attention.zeroesHidden ? 1 : 0, scratch: scratch)
    if let mask, let numbers = arguments.inputAddress(5) {
      let first = mask.element(segment: segment, head: head, query: position)
      call.mask = (numbers + 4 * first).assumingMemoryBound(to: Float.self)
      call.maskStride = 4 * mask.queryStep
    } else if let terms {
      let memory = (scratch + TensorStorage.padded(kernelBytes)).assumingMemoryBound(to: Float.self)
      terms.write(arguments, head: head, queries: queries, position: position, keys: keys, to: memory)
      call.mask = UnsafePointer(memory)
      call.maskStride = 4 * keys.count
    } else if let window, let hidden {
      let first = window.element(query: position, key: seen.lowerBound)
      call.mask = UnsafeRawPointer(hidden.base + 4 * first).assumingMemoryBound(to: Float.self)
      call.maskStride = -4
    }
    kernel(&call)
  }
}
