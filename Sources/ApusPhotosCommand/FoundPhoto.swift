import ApusPhotos

/// A photograph that was found, for people and programs.
struct FoundPhoto {
  let photo: Photo
  /// Where it lies: one at which a file is before those that are gone since it was indexed.
  let paths: [String]
  /// How much it is like a query; nil where there was none.
  let score: Float?

  init(_ match: PhotoMatch) {
    (photo, score, paths) = (match.photo, match.score, match.pathsAtHand)
  }

  init(_ photo: IndexedPhoto) {
    (self.photo, score, paths) = (photo.photo, nil, photo.paths.atHand)
  }
}
