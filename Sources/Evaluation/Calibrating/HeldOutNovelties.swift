import Apus
import TensorCore

/// The novelty of each picture by a rejection that was fitted without it: the samples of each class are divided in their
/// order, in which copies and series lie side by side, and those of each part are judged by a fit to the others.
struct HeldOutNovelties {
  private static let parts = 5

  private(set) var known: [Float]
  private(set) var foreign: [Float]

  /// - Parameters:
  ///   - known: features of known pictures; nil comes of a picture without.
  ///   - classes: of each known picture.
  ///   - foreign: features of pictures of no class; may be empty.
  init?(
    _ known: [[Float]], _ classes: [Int], foreign: [[Float]], classCount: Int
  ) throws(ApusError) {
    guard known.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.known = [Float](repeating: 0, count: known.count)
    self.foreign = [Float](repeating: 0, count: foreign.count)
    let knownParts = Self.parts(of: classes)
    // Neighbours are of one kind, of which each part shall have some.
    let foreignParts = foreign.indices.map { $0 % Self.parts }
    for part in 0..<Self.parts {
      let fitted = known.indices.filter { knownParts[$0] != part }
      let rejection = try RejectionFit()(
        fitted.map { known[$0] }, fitted.map { classes[$0] },
        foreign: foreign.indices.filter { foreignParts[$0] != part }.map { foreign[$0] },
        classCount: classCount)
      for index in known.indices where knownParts[index] == part {
        self.known[index] = rejection.novelty(known[index])
      }
      for index in foreign.indices where foreignParts[index] == part {
        self.foreign[index] = rejection.novelty(foreign[index])
      }
    }
  }

  /// The part of each sample: those of a class in as many runs of neighbours. Classes with fewer samples than there are parts
  /// begin each in another, so that no fit is without half of them all.
  private static func parts(of classes: [Int]) -> [Int] {
    let totals = Dictionary(classes.map { ($0, 1) }, uniquingKeysWith: +)
    let small = totals.filter { $0.value < parts }.keys.sorted()
    let firstParts = Dictionary(zip(small, small.indices)) { first, _ in first }
    var seen: [Int: Int] = [:]
    return classes.map { label in
      let place = seen[label, default: 0]
      seen[label] = place + 1
      return (place * parts / max(totals[label] ?? 1, 1) + firstParts[label, default: 0]) % parts
    }
  }
}
