import TensorCore

/// How near pictures have to be that are taken for the same one.
package struct DuplicateLimits: Sendable, Equatable {
  /// The most of 64 bits in which the perceptual hashes differ. `Tools/checks/perceptual-hash` has what copies differ in, and
  /// what different photographs and pages of text do.
  package let differentBits: Int
  /// The least cosine of the embeddings.
  package let cosine: Float
  /// The least cosine for a picture and one at most half as wide and high, if at most half as many bits differ. A model sees
  /// what a small copy lost, and frames of a burst, which are near as well, are of one size.
  package let cosineOfReduced: Float

  /// - Throws: ``ApusError`` of kind `argument` for limits that no two pictures, or all, are within.
  package init(
    differentBits: Int = 4, cosine: Float = 0.98, cosineOfReduced: Float = 0.85
  ) throws(ApusError) {
    guard (0...16).contains(differentBits) else {
      throw ApusError(.argument, "\(differentBits) different bits of 64", expected: "0 to 16")
    }
    for cosine in [cosine, cosineOfReduced] {
      guard cosine > 0, cosine <= 1 else {
        throw ApusError(.argument, "a least cosine of \(cosine)", expected: "one above 0, up to 1")
      }
    }
    self.differentBits = differentBits
    self.cosine = cosine
    self.cosineOfReduced = cosineOfReduced
  }

  /// The least cosine of two pictures.
  func leastCosine(of one: ComparedPicture, and other: ComparedPicture) -> Float {
    guard one.isReduction(of: other) || other.isReduction(of: one),
      let bits = one.differentBits(from: other), bits <= differentBits / 2
    else { return cosine }
    return min(cosine, cosineOfReduced)
  }
}
