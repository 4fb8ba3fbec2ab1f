import Images
import TensorCore

/// Which columns of a list hold samples and labels.
struct ListColumns: Equatable {
  let content: Int
  /// Nil for a list without labels.
  let label: Int?
  /// Whether the first row names the columns.
  let hasHeader: Bool

  private static let contentNames: Set = [
    "path", "file", "filename", "file_name", "filepath", "image", "image_path", "picture", "text", "sentence",
    "review", "content",
  ]
  private static let labelNames: Set = [
    "label", "labels", "class", "class_name", "category", "target", "y", "sentiment", "synset",
  ]

  /// By the names in the first row; without such, samples come first and labels second, or the other way round
  /// where the second column holds names of pictures.
  /// - Throws: ``ApusError`` of kind `configuration` when there are more columns and nothing tells which is which.
  init(_ rows: [SeparatedValues.Row]) throws(ApusError) {
    let first = rows.first?.values ?? []
    let names = first.map { $0.lowercased() }
    let content = names.firstIndex(where: Self.contentNames.contains)
    let label = names.firstIndex(where: Self.labelNames.contains)
    hasHeader = content != nil && (names.count == 1 || label != nil || names.count == 2)
    if hasHeader, let content {
      self.content = content
      self.label = label ?? names.indices.first { $0 != content }
      return
    }
    guard first.count <= 2 else {
      throw ApusError(
        .configuration, "\(first.count) columns, and no first row that names them",
        expected: "a row such as 'path,label'", at: "line \(rows.first?.line ?? 1)")
    }
    let isTurned = first.count == 2 && PictureFiles.isPicture(first[1]) && !PictureFiles.isPicture(first[0])
    self.content = isTurned ? 1 : 0
    self.label = first.count == 2 ? (isTurned ? 0 : 1) : nil
  }
}
