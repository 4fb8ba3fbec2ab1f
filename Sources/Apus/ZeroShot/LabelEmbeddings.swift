import Synchronization
import TensorCore

/// The embeddings of labels, computed once for each and kept.
final class LabelEmbeddings: Sendable {
  /// By the bytes of labels: texts that Swift takes for equal may have other tokens.
  private typealias Embeddings = [[UInt8]: [Float]]

  private let known = Mutex<Embeddings>([:])
  /// Labels kept; more than anybody types, and a bound for a server that takes them from anybody.
  private static let capacity = 16_384

  /// An embedding for each of `labels`.
  /// - Parameter compute: those of labels that are not known yet.
  func embeddings(
    _ labels: [String], compute: ([String]) throws(ApusError) -> [[Float]]
  ) throws(ApusError) -> [[Float]] {
    let keys = labels.map { Array($0.utf8) }
    let known = known.withLock { $0 }
    var found: Embeddings = [:]
    var missing: [(key: [UInt8], label: String)] = []
    var seen: Set<[UInt8]> = []
    for (key, label) in zip(keys, labels) where seen.insert(key).inserted {
      if let embedding = known[key] { found[key] = embedding } else { missing.append((key, label)) }
    }
    if !missing.isEmpty {
      let embeddings = try compute(missing.map(\.label))
      for (item, embedding) in zip(missing, embeddings) { found[item.key] = embedding }
      remember(found)
    }
    return keys.compactMap { found[$0] }
  }

  private func remember(_ embeddings: Embeddings) {
    known.withLock { known in
      if known.count + embeddings.count > Self.capacity { known.removeAll() }
      known.merge(embeddings) { old, _ in old }
    }
  }
}
