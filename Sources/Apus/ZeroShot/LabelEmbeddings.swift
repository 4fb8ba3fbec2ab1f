import Synchronization
import TensorCore

/// The embeddings of labels, computed once for each and kept.
final class LabelEmbeddings: Sendable {
  private let known = Mutex<[String: [Float]]>([:])
  /// Labels kept; more than anybody types, and a bound for a server that takes them from anybody.
  private static let capacity = 16_384

  /// An embedding for each of `labels`.
  /// - Parameter compute: those of labels that are not known yet.
  func embeddings(
    _ labels: [String], compute: ([String]) throws(ApusError) -> [[Float]]
  ) throws(ApusError) -> [[Float]] {
    let known = known.withLock { $0 }
    var found: [String: [Float]] = [:]
    var missing: [String] = []
    var seen: Set<String> = []
    for label in labels where seen.insert(label).inserted {
      if let embedding = known[label] { found[label] = embedding } else { missing.append(label) }
    }
    if !missing.isEmpty {
      for (label, embedding) in zip(missing, try compute(missing)) { found[label] = embedding }
      remember(found)
    }
    return labels.compactMap { found[$0] }
  }

  private func remember(_ embeddings: [String: [Float]]) {
    known.withLock { known in
      if known.count + embeddings.count > Self.capacity { known.removeAll() }
      known.merge(embeddings) { old, _ in old }
    }
  }
}
