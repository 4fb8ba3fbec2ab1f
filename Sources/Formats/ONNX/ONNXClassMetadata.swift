import TensorCore

/// What an ONNX file says of its classes and pictures in `metadata_props`, by keys that exporters have in common use.
package struct ONNXClassMetadata: Sendable {
  private let entries: [(key: String, value: String)]

  /// Keys of the names of classes: Ultralytics' `names`, what people write by hand, and RapidOCR's `character`.
  private static let labelKeys: [ExactText] = [
    "names", "labels", "classes", "class_names", "id2label", "character",
  ]

  package init(of model: ONNXModel) { entries = model.metadata }

  private func value(_ key: ExactText) -> String? { entries.last { ExactText($0.key) == key }?.value }

  /// The names of the classes: a list or dictionary of JSON or Python, a text with a label on each line, or one line of them
  /// with commas between. Nil where nothing is said of them.
  /// - Throws: ``ApusError`` of kind `configuration` for what is none of these.
  package func labels() throws(ApusError) -> LabelFile? {
    for key in Self.labelKeys {
      guard let value = value(key) else { continue }
      do throws(ApusError) {
        if let labels = PythonLabels(value)?.labels { return LabelFile(labels: labels) }
        let first = value.utf8.first { !LabelFile.isSpace($0) }
        let isList = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let file = try LabelFile(Array(value.utf8), isJSON: isList)
        guard file.labels.count == 1, value.utf8.contains(UInt8(ascii: ",")) else { return file }
        let parts = value.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
        return try LabelFile(Array(parts.joined(separator: "\n").utf8))
      } catch {
        throw error.at("metadata_props: '\(key)'")
      }
    }
    return nil
  }

  /// Whether Ultralytics exported a classifier, whose pictures have the shorter side and centre that it crops, in numbers from
  /// 0 to 1.
  package var isUltralyticsClassifier: Bool {
    value("author").map { ExactText($0) } == "Ultralytics"
      && value("task").map { ExactText($0) } == "classify"
  }
}
