import FoundationEssentials
import JSONCoding

/// The keys of a snapshot's JSON: in snake_case, and for one version also as they were called before 0.2.0, where what lies
/// under a former key has former keys alone.
enum SnapshotKeys {
  /// A snapshot's JSON with both.
  static func json(of snapshot: PerformanceSnapshot) throws -> JSONValue {
    both(try json(of: snapshot, .convertToSnakeCase), try json(of: snapshot, .useDefaultKeys))
  }

  private static func json(
    of snapshot: PerformanceSnapshot, _ keys: JSONEncoder.KeyEncodingStrategy
  ) throws -> JSONValue {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = keys
    encoder.outputFormatting = .sortedKeys
    return try JSONValue.parse(Array(try encoder.encode(snapshot))[...])
  }

  /// - Parameters:
  ///   - value: with its keys as they are now.
  ///   - former: the same with those that it had.
  private static func both(_ value: JSONValue, _ former: JSONValue) -> JSONValue {
    switch (value, former) {
    case (.array(let values), .array(let formerValues)):
      return .array(zip(values, formerValues).map { both($0, $1) })
    case (.object(let members), .object(let formerMembers)):
      let kept = members.map { member in
        JSONValue.Member(
          key: member.key, value: former[member.key].map { both(member.value, $0) } ?? member.value)
      }
      return .object(kept + formerMembers.filter { value[$0.key] == nil })
    default: return value
    }
  }

  /// `peak_byte_count` of `peakByteCount`.
  static func snakeCase(_ key: String) -> String {
    key.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
