import TensorCore

/// A family and the extents it is measured at, as the command line writes them:
/// `convolution:224x224x3x32-k3-s2`.
package struct KernelShape: Sendable, Hashable {
  package let family: KernelFamily
  package let extents: [Int]
  /// Height and width of a filter.
  package let filter: Int
  package let stride: Int

  /// For the shapes in the sources.
  init(_ family: KernelFamily, _ extents: Int..., filter: Int = 1, stride: Int = 1) {
    self.family = family
    self.extents = extents
    self.filter = filter
    self.stride = stride
  }

  /// - Throws: ``ApusError`` of kind `argument` when the text is no shape of a family, or is beyond measure.
  package init(parsing text: String) throws(ApusError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let family = KernelFamily(rawValue: String(parts[0])) else {
      throw Self.refusal(text, "FAMILY:EXTENTS, with a family of \(KernelFamily.allNames)")
    }
    var words = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    let extents = words.removeFirst().split(separator: "x", omittingEmptySubsequences: false).map {
      Int($0) ?? 0
    }
    var options: [Character: Int] = [:]
    for word in words {
      guard let key = word.first, family.shapeOptions.contains(key), let value = Int(word.dropFirst()),
        1...64 ~= value
      else { throw Self.refusal(text, "\(family.shapeForm), numbers from 1 that come to no more than 2^36") }
      options[key] = value
    }
    guard extents.count == family.extentNames.count, extents.allSatisfy({ $0 > 0 }),
      extents.saturatingProduct <= Self.largestProduct
    else { throw Self.refusal(text, "\(family.shapeForm), numbers from 1 that come to no more than 2^36") }
    self.family = family
    self.extents = extents
    filter = options["k"] ?? (family == .depthwise ? 3 : 1)
    stride = options["s"] ?? 1
  }

  /// Beyond it an execution takes minutes, or its operands more memory than is sensible.
  private static let largestProduct = 1 << 36

  private static func refusal(_ text: String, _ expected: String) -> ApusError {
    ApusError(.argument, "the shape '\(text)'", expected: expected)
  }

  /// `224x224x3x32-k3-s2`
  package var description: String {
    var text = extents.map(String.init).joined(separator: "x")
    if family.shapeOptions.contains("k") { text += "-k\(filter)" }
    if stride > 1 { text += "-s\(stride)" }
    return text
  }
}

extension KernelFamily {
  package static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// What the numbers of a shape are.
  package var extentNames: [String] {
    switch self {
    case .gemm: ["rows", "depth", "columns"]
    case .batchMatMul: ["matrices", "rows", "depth", "columns"]
    case .convolution: ["height", "width", "channels", "filters"]
    case .depthwise: ["height", "width", "channels"]
    case .attention: ["tokens", "heads", "head-width"]
    case .layerNorm, .softmax, .gelu, .quantize, .dequantize, .widen: ["rows", "width"]
    case .resize: ["from-width", "from-height", "to-width", "to-height"]
    case .scan: ["vectors", "width"]
    }
  }

  fileprivate var shapeOptions: String { self == .convolution || self == .depthwise ? "ks" : "" }

  /// How its shapes are written: `gemm:ROWSxDEPTHxCOLUMNS`.
  package var shapeForm: String { "\(rawValue):\(extentForm)" }

  private var extentForm: String {
    extentNames.map { $0.uppercased() }.joined(separator: "x")
      + (shapeOptions.isEmpty ? "" : "-kFILTER-sSTRIDE")
  }

  /// How the shapes of all families are written, those of the same form together.
  package static var shapeForms: String {
    var forms: [(form: String, families: [String])] = []
    for family in allCases {
      if let place = forms.firstIndex(where: { $0.form == family.extentForm }) {
        forms[place].families.append(family.rawValue)
      } else {
        forms.append((family.extentForm, [family.rawValue]))
      }
    }
    return forms.map { "\($0.families.joined(separator: ", ")):\($0.form)" }.joined(separator: "; ")
  }
}
