import CLibrary
import Formats
import TensorCore

/// What DeBERTa's attention adds to the products of queries and keys, by how far they stand apart: the product of the query
/// with a learned vector for their distance ("content to position"), that of the key with another ("position to content"),
/// or both.
///
/// Source: He et al. 2021, "DeBERTa: Decoding-enhanced BERT with Disentangled Attention", section 3.1, with the buckets of
/// distances that transformers has for its second version.
struct DisentangledAttention: Sendable {
  /// Whether queries are multiplied with vectors.
  let addsToQueries: Bool
  /// Whether keys are.
  let addsToKeys: Bool
  /// Kinds of products that are named, whether they are added or not: by so many more the sums are scaled down.
  let namedTerms: Int
  /// Whether the vectors are projected by the matrices that project queries and keys.
  let sharesProjections: Bool
  /// Whether the vectors are normalised first.
  let normalizes: Bool
  /// Vectors on each side: half of all.
  let span: Int
  /// Where distances share buckets, the distance from which on all share the last one; else nil.
  private let farthest: Int?

  /// Whether anything is added.
  var isUsed: Bool { addsToQueries || addsToKeys }

  /// - Parameter positions: what `max_position_embeddings` says.
  init(_ reader: ConfigurationReader, positions: Int) throws(ApusError) {
    let isRelative = try reader.bool("relative_attention", default: false)
    let kinds = try Self.names(reader, "pos_att_type", among: ["c2p", "p2c"])
    namedTerms = Set(kinds.map { ExactText($0) }).count
    addsToQueries = isRelative && kinds.contains("c2p")
    addsToKeys = isRelative && kinds.contains("p2c")
    sharesProjections = try reader.bool("share_att_key", default: false)
    normalizes = try Self.names(reader, "norm_rel_ebd", among: ["none", "layer_norm"]).contains("layer_norm")
    let limit = ConfigurationReader.sizeLimit
    let stated = try reader.integer("max_relative_positions", in: -limit...limit, default: -1)
    let most = stated < 1 ? positions : stated
    let buckets = try reader.integer("position_buckets", in: -limit...limit, default: -1)
    span = buckets > 0 ? buckets : most
    farthest = buckets > 0 ? most : nil
    // Else the library divides by zero, and what it makes of that depends on the processor.
    guard buckets < 1 || !isUsed || buckets > 1 && Self.ratio(most, buckets / 2) != 1 else {
      throw reader.unexpected(
        "position_buckets", reader.value("position_buckets"),
        "2 or more, and half of them other than the farthest distance, \(most - 1)", kind: .unsupportedModel)
    }
  }

  /// Names in a list, or in a text with bars between them.
  private static func names(
    _ reader: ConfigurationReader, _ key: String, among known: [String]
  ) throws(ApusError) -> [String] {
    var names: [String] = []
    if case .array? = reader.value(key) {
      names = try reader.optionalList(key, of: "names") { $0.string } ?? []
    } else if let text = try reader.optionalString(key) {
      names = text.lowercased().split(separator: "|").map { $0.filter { !$0.isWhitespace } }
    }
    // transformers writes an empty text as a list of one.
    names.removeAll(where: \.isEmpty)
    if let name = names.first(where: { !known.contains($0) }) {
      throw ApusError(
        .unsupportedModel, "names '\(name.clipped)'", expected: known.joined(separator: " or "), at: key,
        file: reader.file)
    }
    return names
  }

  /// The vector for a key that stands `distance` positions before its query: a row of the learned table.
  ///
  /// Up to half of ``span`` each distance has its own; from there on they grow with its logarithm, or fall with it where that
  /// half reaches beyond the farthest distance. The logarithms are rounded to float32, as the library's are, so that the
  /// bounds of buckets are the same, but for 3 of 11 759 settings that were tried, in which a distance beyond 3 800 falls into
  /// the bucket beside, and 27 of 4 761 in which buckets fall, where one beyond 360 does.
  func bucket(of distance: Int) -> Int {
    guard let farthest else { return place(distance) }
    let middle = span / 2
    let size = Int(clamping: distance.magnitude)
    guard size > middle else { return place(distance) }
    let share =
      Self.logarithm(Float(size) / Float(middle)) / Self.logarithm(Self.ratio(farthest, middle))
    let steps = (share * Float(middle - 1)).rounded(.up)
    // More are the last bucket on that side all the same.
    let bound = Float(2 * span)
    let reached = middle + Int(min(max(steps, -bound), bound))
    return place(distance > 0 ? reached : -reached)
  }

  private func place(_ signed: Int) -> Int { min(max(signed, -span), span - 1) + span }

  /// The farthest distance over the last that has a bucket of its own.
  private static func ratio(_ farthest: Int, _ middle: Int) -> Float {
    Float(Double(farthest - 1) / Double(middle))
  }

  private static func logarithm(_ x: Float) -> Float { Float(log(Double(x))) }
}
