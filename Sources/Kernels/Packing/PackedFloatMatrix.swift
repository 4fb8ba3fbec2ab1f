import CIntrinsics
import TensorCore

/// A float element as weights are stored.
protocol StoredFloat: BitwiseCopyable {
  var float32: Float { get }
}

extension Float: StoredFloat { @inline(__always) var float32: Float { self } }

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: StoredFloat { @inline(__always) var float32: Float { Float(self) } }
#endif

extension BFloat16: StoredFloat { @inline(__always) var float32: Float { Float(self) } }

extension PackedMatrix {
  /// Packs float weights (float32, float16 or bfloat16) for float32 products.
  /// - Parameters:
  ///   - weights: holds at least the elements that the layout reaches.
  ///   - bias: one number for each column; zeros when nil.
  /// - Throws: ``ApusError`` for other element types, or when there is no memory.
  package static func float32(
    _ weights: UnsafeRawBufferPointer, _ dataType: DataType, layout: MatrixLayout, bias: [Float]?,
    kernels: KernelSet
  ) throws(ApusError) -> PackedMatrix {
    let matrix = try PackedMatrix(
      columns: layout.columns, depth: layout.depth, format: .float32, lanes: kernels.float.lanes,
      tableBytes: 0)
    switch dataType {
    case .float32: matrix.fill(weights.bindMemory(to: Float.self), layout)
    case .float16: matrix.fill(weights.bindMemory(to: Float16.self), layout)
    case .bfloat16: matrix.fill(weights.bindMemory(to: BFloat16.self), layout)
    default:
      throw ApusError(.unsupportedModel, "weights of \(dataType.rawValue)", expected: "floating point")
    }
    if let bias { matrix.setHeaders(bias) }
    return matrix
  }

  private func fill<Element: StoredFloat>(_ weights: UnsafeBufferPointer<Element>, _ layout: MatrixLayout) {
    for index in 0..<panelCount {
      let panel = panel(index)
      let target = panel.weights.assumingMemoryBound(to: Float.self)
      for (lane, column) in panel.columns.enumerated() {
        var source = column * layout.columnStride
        var place = lane
        for _ in 0..<depth {
          target[place] = weights[source].float32
          source += layout.depthStride
          place += panel.width
        }
      }
    }
  }

  /// Sets the starting value of every column.
  func setHeaders<Element: BitwiseCopyable>(_ values: [Element]) {
    for index in 0..<panelCount {
      let panel = panel(index)
      for (lane, column) in panel.columns.enumerated() where column < values.count {
        panel.header.storeBytes(of: values[column], toByteOffset: 4 * lane, as: Element.self)
      }
    }
  }
}
