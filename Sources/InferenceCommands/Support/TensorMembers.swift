import CommandSupport
import Apus

/// A tensor's name and type as JSON.
enum TensorMembers {
  static func of(_ name: String, _ type: TensorType) -> [JSON.Member] {
    var members: [JSON.Member] = [
      ("name", .string(name)), ("type", .string(type.dataType.rawValue)),
      ("shape", .array(type.shape.dimensions.map(JSON.integer))),
    ]
    if let quantization = type.quantization { members.append(("quantization", json(quantization))) }
    return members
  }

  /// An input: of extents that are up to the caller null, and the types that it may have besides.
  static func of(_ input: TensorDescription) -> [JSON.Member] {
    [
      ("name", .string(input.name)), ("type", .string(input.dataType.rawValue)),
      ("types", .strings(([input.dataType] + input.otherDataTypes).map(\.rawValue))),
      ("shape", .array(input.extents.map { $0.isFree ? .null : .integer($0.stated) })),
      ("optional", .bool(input.isOptional)),
    ]
  }

  private static func json(_ quantization: Quantization) -> JSON {
    var members: [JSON.Member] = [
      ("scales", .array(quantization.scales.map(JSON.float))),
      ("zero_points", .array(quantization.zeroPoints.map { .integer(Int($0)) })),
    ]
    if let axis = quantization.axis { members.append(("axis", .integer(axis))) }
    return .object(members)
  }
}
