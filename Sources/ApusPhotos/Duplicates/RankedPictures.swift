/// Pictures in the order of a group's members: most pixels, most bytes, the oldest, the smallest path by its bytes.
struct RankedPictures {
  /// The usual sort keys with the place in the given list, so that a million pictures are not moved.
  private struct Key {
    let pixels: Double
    let byteCount: Int
    let age: Int64
    let index: Int
  }

  private let pictures: [ComparedPicture]
  private let order: [Key]

  init(_ pictures: [ComparedPicture]) {
    self.pictures = pictures
    let keys = pictures.enumerated().map { index, picture in
      Key(
        pixels: Double(picture.width) * Double(picture.height), byteCount: picture.byteCount,
        age: picture.takenAt ?? .max, index: index)
    }
    order = keys.sorted { first, second in
      if first.pixels != second.pixels { return first.pixels > second.pixels }
      if first.byteCount != second.byteCount { return first.byteCount > second.byteCount }
      if first.age != second.age { return first.age < second.age }
      return Self.hasSmallerPath(pictures[first.index], pictures[second.index])
    }
  }

  private static func hasSmallerPath(_ first: ComparedPicture, _ second: ComparedPicture) -> Bool {
    let (path, other) = (first.files.first?.path ?? "", second.files.first?.path ?? "")
    guard path.utf8.elementsEqual(other.utf8) else { return path.utf8.lexicographicallyPrecedes(other.utf8) }
    return first.content < second.content
  }

  var indices: Range<Int> { order.indices }

  subscript(rank: Int) -> ComparedPicture { pictures[order[rank].index] }
}
