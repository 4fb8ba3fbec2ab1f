import TensorCore

/// The NHWC picture in operand 0 at the height and width in operand 1, each pixel a mean of four, weighted by
/// how near they are.
///
/// As in TFLite's reference kernels, float32 and uint8 work in float32 (uint8 rounds halves up), and int8
/// and int16 in fixed point with ten fractional bits. Corners are aligned or pixels sampled at their middle,
/// not both.
package struct ResizeBilinear: Operation {
  package let alignCorners: Bool
  package let halfPixelCenters: Bool
  package var name: String { "resizeBilinear" }

  package init(alignCorners: Bool = false, halfPixelCenters: Bool = false) {
    self.alignCorners = alignCorners
    self.halfPixelCenters = halfPixelCenters
  }

  private func geometry(_ operands: Operands) throws(ApusError) -> ResizeGeometry {
    guard !(alignCorners && halfPixelCenters) else {
      throw ApusError(
        .malformedModel, "aligned corners and half-pixel centres", expected: "at most one of them")
    }
    return try ResizeGeometry(operands, alignCorners: alignCorners, halfPixelCenters: halfPixelCenters)
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    _ = try operands.input(0, "the picture", of: [.float32, .int8, .uint8, .int16])
    return [try operands.result(geometry(operands).resultShape(), like: 0).limited()]
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let geometry = try geometry(context.operands)
    return switch context.results[0].dataType {
    case .int8: integer(geometry, Int8.self)
    case .int16: integer(geometry, Int16.self)
    case .uint8: real(geometry, UInt8.self, { Float($0) }, { UInt8(min(max($0 + 0.5, 0), 255)) })
    default: real(geometry, Float.self, { $0 }, { $0 })
    }
  }

  private func real<Element: BitwiseCopyable & Sendable>(
    _ g: ResizeGeometry, _: Element.Type, _ load: @escaping @Sendable (Element) -> Float,
    _ store: @escaping @Sendable (Float) -> Element
  ) -> Lowering {
    let rows = RealSampling(g, from: g.inputHeight, to: g.height)
    let columns = RealSampling(g, from: g.inputWidth, to: g.width)
    return Lowering("resize bilinear f32") { arguments in
      let source = arguments.input(0, as: Element.self)
      let target = arguments.output(0, as: Element.self)
      g.forEachRow(arguments) { batch, y in
        let (y0, y1, dy) = rows[y]
        let top = (batch * g.inputHeight + y0) * g.inputWidth
        let bottom = (batch * g.inputHeight + y1) * g.inputWidth
        for x in 0..<g.width {
          let (x0, x1, dx) = columns[x]
          let to = ((batch * g.height + y) * g.width + x) * g.depth
          for c in 0..<g.depth {
            let a = load(source[(top + x0) * g.depth + c]) * (1 - dy) * (1 - dx)
            let b = load(source[(bottom + x0) * g.depth + c]) * dy * (1 - dx)
            let d = load(source[(top + x1) * g.depth + c]) * (1 - dy) * dx
            let e = load(source[(bottom + x1) * g.depth + c]) * dy * dx
            target[to + c] = store(a + b + d + e)
          }
        }
      }
    }
  }

  private func integer<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(
    _ g: ResizeGeometry, _: Element.Type
  ) -> Lowering {
    let rows = FixedSampling(g, from: g.inputHeight, to: g.height)
    let columns = FixedSampling(g, from: g.inputWidth, to: g.width)
    return Lowering("resize bilinear integer") { arguments in
      let source = arguments.input(0, as: Element.self)
      let target = arguments.output(0, as: Element.self)
      let one = FixedSampling.one
      g.forEachRow(arguments) { batch, y in
        let (y0, y1, dy) = rows[y]
        let top = (batch * g.inputHeight + y0) * g.inputWidth
        let bottom = (batch * g.inputHeight + y1) * g.inputWidth
        for x in 0..<g.width {
          let (x0, x1, dx) = columns[x]
          let to = ((batch * g.height + y) * g.width + x) * g.depth
          for c in 0..<g.depth {
            let a = Int(source[(top + x0) * g.depth + c]) &* (one &- dy) &* (one &- dx)
            let b = Int(source[(bottom + x0) * g.depth + c]) &* dy &* (one &- dx)
            let d = Int(source[(top + x1) * g.depth + c]) &* (one &- dy) &* dx
            let e = Int(source[(bottom + x1) * g.depth + c]) &* dy &* dx
            let sum = a &+ b &+ d &+ e
            let half = sum > 0 ? one * one / 2 : -one * one / 2
            target[to + c] = Element(truncatingIfNeeded: (sum &+ half) / (one * one))
          }
        }
      }
    }
  }
}

/// Where along one axis an index of the result lies in the source: the two neighbours, and how far it is
/// from the first to the second, in float32.
private struct RealSampling: Sendable {
  private let scale: Float
  private let extent: Int
  private let halfPixelCenters: Bool

  init(_ g: ResizeGeometry, from extent: Int, to result: Int) {
    scale =
      g.alignCorners && result > 1 ? Float(extent - 1) / Float(result - 1) : Float(extent) / Float(result)
    self.extent = extent
    halfPixelCenters = g.halfPixelCenters
  }

  @inline(__always)
  subscript(index: Int) -> (lower: Int, upper: Int, fraction: Float) {
    let position = halfPixelCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
    let lower = min(max(Int(position.rounded(.down)), 0), extent - 1)
    return (lower, min(Int(position.rounded(.up)), extent - 1), position - Float(lower))
  }
}

/// The same in fixed point: the fraction in units of 1/``one``.
private struct FixedSampling: Sendable {
  static let one = 1 << 10

  private let scale: Int
  private let extent: Int
  private let halfPixelCenters: Bool

  init(_ g: ResizeGeometry, from extent: Int, to result: Int) {
    scale =
      g.alignCorners && result > 1
      ? (Self.one * (extent - 1) + (result - 1) / 2) / (result - 1)
      : (Self.one * extent + result / 2) / result
    self.extent = extent
    halfPixelCenters = g.halfPixelCenters
  }

  @inline(__always)
  subscript(index: Int) -> (lower: Int, upper: Int, fraction: Int) {
    let position = halfPixelCenters ? index * scale + scale / 2 - Self.one / 2 : index * scale
    let lower = min(max(position / Self.one, 0), extent - 1)
    let upper = min((position + Self.one - 1) / Self.one, extent - 1)
    return (lower, upper, position - Self.one * lower)
  }
}
