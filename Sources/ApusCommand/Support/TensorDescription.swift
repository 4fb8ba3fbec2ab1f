import Apus
import Networks

/// A tensor's name and type as JSON.
enum TensorDescription {
  static func members(_ name: String, _ type: TensorType) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("name", .string(name)), ("type", .string(type.dataType.rawValue)),
      ("shape", .array(type.shape.dimensions.map(JSON.integer))),
    ]
    if let quantization = type.quantization { members.append(("quantization", json(quantization))) }
    return members
  }

  /// An input: of extents that are up to the caller null, and the types that it may have besides.
  static func members(_ input: NetworkInput, _ type: TensorType?) -> [(String, JSON)] {
    if let type { return members(input.name, type) }
    let extents = (input.form?.extents ?? []).map { extent -> JSON in
      if case .fixed(let count) = extent { .integer(count) } else { .null }
    }
    let types = input.form?.dataTypes.map(\.rawValue) ?? []
    return [
      ("name", .string(input.name)), ("type", types.first.map(JSON.string) ?? .null),
      ("types", .strings(types)), ("shape", .array(extents)), ("optional", .bool(input.isOptional)),
    ]
  }

  private static func json(_ quantization: Quantization) -> JSON {
    var members: [(String, JSON)] = [
      ("scales", .array(quantization.scales.map(JSON.float))),
      ("zeroPoints", .array(quantization.zeroPoints.map { .integer(Int($0)) })),
    ]
    if let axis = quantization.axis { members.append(("axis", .integer(axis))) }
    return .object(members)
  }
}
