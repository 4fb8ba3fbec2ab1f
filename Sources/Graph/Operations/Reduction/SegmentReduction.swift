import TensorCore

/// Combines slices of operand 0 by the numbers of their segments in operand 1, which are int32.
enum SegmentReduction {
  static let types: [DataType] = [.float32, .int32]

  static func lowering(
    _ kind: UnsortedSegment.Kind, _ context: LoweringContext
  ) throws(ApusError) -> Lowering {
    switch (kind, context.result.dataType) {
    case (.sum, .float32): combining(context, from: Float(0)) { $0 + $1 }
    case (.sum, .int32): combining(context, from: Int32(0)) { $0 &+ $1 }
    case (.product, .float32): combining(context, from: Float(1)) { $0 * $1 }
    case (.product, .int32): combining(context, from: Int32(1)) { $0 &* $1 }
    case (.max, .float32): combining(context, from: -Float.greatestFiniteMagnitude) { $0 < $1 ? $1 : $0 }
    case (.max, .int32): combining(context, from: Int32.min) { max($0, $1) }
    case (.min, .float32): combining(context, from: Float.greatestFiniteMagnitude) { $1 < $0 ? $1 : $0 }
    case (.min, .int32): combining(context, from: Int32.max) { min($0, $1) }
    default: throw ApusError.unsupportedType(context.result.dataType)
    }
  }

  private static func combining<Element: BitwiseCopyable & Sendable>(
    _ context: LoweringContext, from start: Element,
    _ combine: @escaping @Sendable (Element, Element) -> Element
  ) -> Lowering {
    let count = context.result.shape[0]
    // A result with elements has segments, and slices with elements.
    let size = context.result.shape.elementCount / count
    return Lowering("segments") { arguments throws(ApusError) in
      let segments = IndexReader(arguments, 1, .int32)
      let source = arguments.input(0, as: Element.self)
      let target = arguments.output(0, as: Element.self)
      target.update(repeating: start)
      for slice in 0..<segments.count {
        let segment = segments[slice]
        guard segment < count else { throw IndexReader.error(segment, count) }
        guard segment >= 0 else { continue }
        for element in 0..<size {
          let place = segment * size + element
          target[place] = combine(target[place], source[slice * size + element])
        }
      }
    }
  }
}
