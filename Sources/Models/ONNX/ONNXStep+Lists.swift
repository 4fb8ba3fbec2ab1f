import Formats
import TensorCore

/// Attributes that are lists.
extension ONNXStep {
  func floats(_ name: String) throws(ApusError) -> [Float]? {
    switch attribute(name) {
    case nil: return nil
    case .floats(let values): return values
    // An empty list has no type in old files.
    case .ints(let values) where values.isEmpty: return []
    default: throw Self.wrongList(name, "floats")
    }
  }

  func texts(_ name: String) throws(ApusError) -> [String]? {
    switch attribute(name) {
    case nil: return nil
    case .strings(let values): return values
    case .ints(let values) where values.isEmpty: return []
    default: throw Self.wrongList(name, "texts")
    }
  }

  private static func wrongList(_ name: String, _ expected: String) -> ApusError {
    ApusError(.malformedModel, "attribute '\(name)' of another type", expected: expected)
  }
}
