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
    let known = known.withLock { $0 }
    var found: Embeddings = [:]
    var missing: [String] = []
    var seen: Set<[UInt8]> = []
    for label in labels where seen.insert(Array(label.utf8)).inserted {
      if let embedding = known[Array(label.utf8)] {
        found[Array(label.utf8)] = embedding
      } else {
        missing.append(label)
      }
    }
    if !missing.isEmpty {
      for (label, embedding) in zip(missing, try compute(missing)) { found[Array(label.utf8)] = embedding }
      remember(found)
    }
    return labels.compactMap { found[Array($0.utf8)] }
  }

  private func remember(_ embeddings: Embeddings) {
    known.withLock { known in
      if known.count + embeddings.count > Self.capacity { known.removeAll() }
      known.merge(embeddings) { old, _ in old }
    }
  }
}
