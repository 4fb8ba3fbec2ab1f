import Apus

/// The computation of a model in JSON.
extension Computation {
  /// The member of every record of results.
  package var member: JSON.Member {
    (
      "computed",
      .object([
        ("kernels", .object(kernels.map { ($0.family, .string($0.set)) })),
        ("parts", .array(parts.map(\.json))),
      ])
    )
  }
}

extension Computation.Part {
  fileprivate var json: JSON {
    .object([
      ("part", .string(name)), ("precision", precision.map { .string($0.rawValue) } ?? .null),
      ("products", .object(products.map { ($0.numbers.rawValue, .strings($0.operations)) })),
    ])
  }
}
