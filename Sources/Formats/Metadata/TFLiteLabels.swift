import TensorCore

extension TFLiteMetadata {
  /// The positions of those outputs of the main subgraph whose elements have labels.
  package var labelledOutputs: [Int] {
    guard let tensors = subgraphs.first?.outputs else { return [] }
    return tensors.indices.filter { tensors[$0].associatedFiles.contains { $0.kind == .axisLabels } }
  }

  /// The labels of the classes of an output, from the archive behind the model; nil when it has none.
  ///
  /// With several label files the one without a locale, or else the first, counts.
  /// - Parameters:
  ///   - output: the position among the outputs of the main subgraph.
  ///   - model: the model that the metadata was read from.
  /// - Throws: ``ApusError`` when the archive or the label file in it is damaged or missing.
  package func labels(ofOutput output: Int, of model: TFLiteModel) throws(ApusError) -> LabelFile? {
    guard let tensors = subgraphs.first?.outputs, tensors.indices.contains(output) else { return nil }
    let files = tensors[output].associatedFiles.filter { $0.kind == .axisLabels }
    guard let file = files.first(where: \.locale.isEmpty) ?? files.first else { return nil }
    let contents = try file.contents(of: "label file", in: model.bytes, limit: LabelFile.maximumByteCount)
    do {
      return try LabelFile(contents)
    } catch {
      throw error.at("label file '\(file.name.clipped)' in the model")
    }
  }
}

extension TFLiteAssociatedFile {
  /// The file's bytes, from the archive behind the model.
  /// - Parameters:
  ///   - kind: what it is, for errors.
  ///   - bytes: the file that the metadata was read from.
  /// - Throws: ``ApusError`` when the archive is damaged or lacks it.
  package func contents(of kind: String, in bytes: StoredBytes, limit: Int) throws(ApusError) -> [UInt8] {
    guard let archive = try ZipArchive.atEnd(of: bytes) else {
      throw ApusError(
        .malformedModel, "the metadata names the \(kind) '\(name.clipped)', but no archive is appended")
    }
    return try archive.contents(of: name, limit: limit)
  }
}
