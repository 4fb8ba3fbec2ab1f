import TensorCore

/// An input or output of a graph: its name and, where it is a tensor, its type.
package struct ONNXValueInfo: Sendable {
  /// The extent of an axis.
  package enum Dimension: Sendable, Equatable {
    case fixed(Int)
    /// Whatever the caller gives; axes of one name are expected to be of one extent.
    case free(String)
  }

  package let name: String
  /// What it is when it is no tensor.
  package private(set) var otherKind: String?
  /// Nil where the file does not say.
  package private(set) var elementType: ONNXElementType?
  /// Nil where the file does not say.
  package private(set) var dimensions: [Dimension]?

  /// One of which no more is known than its name.
  init(named name: String) { self.name = name }

  /// Reads a `ValueInfoProto`.
  init(_ message: Slice<StoredBytes>, _ allowance: ONNXAllowance) throws(ApusError) {
    var (name, type) = ("", Slice<StoredBytes>?.none)
    var reader = ONNXMessage(message)
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.text()
      case 2: type = try field.bytes()
      default: break
      }
    }
    self.name = name
    guard let type else { return }
    do throws(ApusError) {
      try readType(type, allowance)
    } catch {
      throw error.at("value '\(name.clipped)'")
    }
  }

  private mutating func readType(_ message: Slice<StoredBytes>, _ allowance: ONNXAllowance) throws(ApusError)
  {
    var reader = ONNXMessage(message)
    while let field = try reader.next() {
      switch field.number {
      case 1: try readTensor(field.bytes(), allowance)
      case 4: otherKind = "a sequence"
      case 5: otherKind = "a map"
      case 7: otherKind = "opaque"
      case 8: otherKind = "a sparse tensor"
      case 9: otherKind = "optional"
      default: break
      }
    }
  }

  private mutating func readTensor(_ message: Slice<StoredBytes>, _ allowance: ONNXAllowance)
    throws(ApusError)
  {
    var reader = ONNXMessage(message)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        let number = try field.int32()
        elementType = ONNXElementType(rawValue: number)
        guard elementType != nil || number == 0 else {
          throw ApusError(.malformedModel, "element type \(number)", expected: "one of ONNX's")
        }
      case 2:
        var dimensions: [Dimension] = []
        var axes = ONNXMessage(try field.bytes())
        while let axis = try axes.next() {
          guard axis.number == 1 else { continue }
          try allowance.take(at: axis.offset)
          dimensions.append(try Self.dimension(axis.bytes()))
        }
        guard dimensions.count <= Shape.maximumRank else {
          throw ApusError(
            .malformedModel, "a tensor of rank \(dimensions.count)", expected: "at most \(Shape.maximumRank)")
        }
        self.dimensions = dimensions
      default: break
      }
    }
  }

  private static func dimension(_ message: Slice<StoredBytes>) throws(ApusError) -> Dimension {
    var dimension = Dimension.free("")
    var reader = ONNXMessage(message)
    while let field = try reader.next() {
      switch field.number {
      case 1:
        // Old exporters write an extent that they do not know as −1 or 0.
        let extent = try field.int64()
        dimension = extent > 0 ? .fixed(Int(extent)) : .free("")
      case 2: dimension = .free(try field.text())
      default: break
      }
    }
    return dimension
  }
}
