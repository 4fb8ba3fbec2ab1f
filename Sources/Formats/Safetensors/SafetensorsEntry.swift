import TensorCore

/// What the header of a safetensors file says of one tensor.
package struct SafetensorsEntry: Sendable, Equatable {
  package let name: String
  package let type: SafetensorsType
  /// The extents, outermost first; none for a scalar.
  package let shape: [Int]
  /// Where the elements lie, counted from the end of the header.
  package let bytes: Range<Int>

  package init(name: String, type: SafetensorsType, shape: [Int], bytes: Range<Int>) {
    (self.name, self.type, self.shape, self.bytes) = (name, type, shape, bytes)
  }

  /// How errors name it.
  package var label: String { "tensor '\(name.clipped)'" }

  /// The type and shape of the tensor.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for an element type that Apus does not read.
  package var tensorType: TensorType {
    get throws(ApusError) {
      guard let dataType = type.dataType else {
        let read = SafetensorsType.allCases.filter { $0.dataType != nil }.map(\.rawValue)
        throw ApusError(
          .unsupportedModel, "has elements of type \(type.rawValue), which Apus does not read",
          expected: "one of \(read.joined(separator: ", "))", at: label,
          advice: "Save the model in float32, float16 or bfloat16.")
      }
      do {
        return TensorType(dataType, try Shape(shape))
      } catch {
        throw error.at(label)
      }
    }
  }
}
