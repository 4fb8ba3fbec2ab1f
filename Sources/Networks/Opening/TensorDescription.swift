import TensorCore

/// A tensor that a network takes or gives: its name, type and extents.
public struct TensorDescription: Sendable, Hashable {
  /// The extent of an axis.
  public enum Extent: Sendable, Hashable {
    /// Always the same.
    case fixed(Int)
    /// Up to the caller.
    /// - Parameters:
    ///   - name: how the axis is called, such as `N`; nil when the model does not say.
    ///   - stated: the extent for which the model is prepared unless the caller gives another.
    ///   - limit: the greatest extent; nil for any.
    case free(name: String?, stated: Int, limit: Int?)

    /// The extent, or that for which the model is made ready.
    public var stated: Int {
      switch self {
      case .fixed(let count), .free(_, let count, _): count
      }
    }

    /// Whether it is up to the caller.
    public var isFree: Bool {
      if case .free = self { true } else { false }
    }
  }

  /// The name: the signature's own, else the tensor's; for a folder transformers' name.
  public let name: String
  /// The name inside the file or the graph, where that is another.
  public let innerName: String
  /// Whether a run may leave it out.
  public let isOptional: Bool
  /// The element type, shape and quantization for which the model is prepared unless the caller gives others.
  public let type: TensorType
  /// Types that its elements may have too.
  public let otherDataTypes: [DataType]
  /// The extent of each axis, outermost first.
  public let extents: [Extent]

  /// - Throws: ``ApusError`` when the extents are no shape.
  init(
    _ name: String, innerName: String? = nil, isOptional: Bool = false, _ dataType: DataType,
    or others: [DataType] = [], _ extents: [Extent]
  ) throws(ApusError) {
    self.name = name
    self.innerName = innerName ?? name
    self.isOptional = isOptional
    type = TensorType(dataType, try Shape(extents.map(\.stated)))
    otherDataTypes = others
    self.extents = extents
  }

  /// - Parameter freeAxes: the axes whose extents are up to the caller.
  init(_ name: String, innerName: String? = nil, _ type: TensorType, freeAxes: Set<Int> = []) {
    self.name = name
    self.innerName = innerName ?? name
    isOptional = false
    self.type = type
    otherDataTypes = []
    extents = type.shape.dimensions.enumerated().map { axis, count in
      freeAxes.contains(axis) ? .free(name: nil, stated: count, limit: nil) : .fixed(count)
    }
  }

  /// The usual type of its elements.
  public var dataType: DataType { type.dataType }
  /// The shape for which the model is prepared unless the caller gives another.
  public var shape: Shape { type.shape }
  /// The quantization of integers; nil for plain numbers.
  public var quantization: Quantization? { type.quantization }

  /// Whether an extent is up to the caller.
  public var hasFreeExtents: Bool { extents.contains(where: \.isFree) }
}

extension TensorDescription: CustomStringConvertible {
  /// `attention_mask, optional: int64 or int32 [N, up to 77 tokens]`, with scale and zero point where there are such.
  public var description: String { "\(name)\(isOptional ? ", optional" : ""): \(form)" }

  /// The description without the name.
  package var form: String {
    let words = extents.map { extent in
      switch extent {
      case .fixed(let count): "\(count)"
      case .free(let name, _, let limit): (limit.map { "up to \($0) " } ?? "") + (name ?? "?")
      }
    }
    let quantized = type.quantization.map {
      $0.isPerChannel ? " per channel" : " scale \($0.scale) zero point \($0.zeroPoint)"
    }
    let types = ([dataType] + otherDataTypes).map(\.rawValue).joined(separator: " or ")
    return "\(types) [\(words.joined(separator: ", "))]\(quantized ?? "")"
  }
}

extension [TensorDescription] {
  /// The position of the input that a caller names: by its name outside the model, else by the one inside, else by
  /// its position.
  package func position(of name: String) -> Int? {
    let wanted = ExactText(name)
    if let found = firstIndex(where: { ExactText($0.name) == wanted }) { return found }
    if let found = firstIndex(where: { ExactText($0.innerName) == wanted }) { return found }
    return Int(name).flatMap { indices.contains($0) ? $0 : nil }
  }

  /// The error for a name that is none of the inputs'.
  package func unknownInput(_ name: some StringProtocol) -> ApusError {
    let list = prefix(20).enumerated().map { "\($0) '\($1.name)'" }.joined(separator: ", ")
    return ApusError(
      .argument, "the model has no input \(Int(name) == nil ? "'\(name)'" : String(name))",
      expected: isEmpty ? "none" : "one of \(list)")
  }

  /// Named contents in the order of the inputs; nil for inputs left out.
  /// - Throws: ``ApusError`` of kind `argument` for an unknown name, or two of one input.
  package func arranged<Content>(_ named: [String: Content]) throws(ApusError) -> [Content?] {
    var arranged = [Content?](repeating: nil, count: count)
    for (name, content) in named.sorted(by: { $0.key < $1.key }) {
      guard let position = position(of: name) else { throw unknownInput(name) }
      guard arranged[position] == nil else {
        throw ApusError(.argument, "input \(position) '\(self[position].name)' is given twice")
      }
      arranged[position] = content
    }
    return arranged
  }
}
