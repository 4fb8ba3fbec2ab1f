import Formats
import Models
import TensorCore

/// The metadata of a file.
extension TFLiteForm {
  /// - Returns: nil when it says nothing.
  func metadata() throws(ApusError) -> TFLiteMetadata? {
    try naming(path) { () throws(ApusError) in try TFLiteMetadata(of: importer.model) }
  }

  package func labels(ofOutput output: Int) throws(ApusError) -> LabelFile? {
    let metadata = try metadata()
    return try naming(path) { () throws(ApusError) in
      try metadata?.labels(ofOutput: output, of: importer.model)
    }
  }

  package func labelledOutputs() throws(ApusError) -> [Int] { try metadata()?.labelledOutputs ?? [] }

  package func outputNames() throws(ApusError) -> [String] {
    try metadata()?.subgraphs.first?.outputs.map(\.name) ?? []
  }

  package func scoreCalibration(ofOutput output: Int) throws(ApusError) -> ScoreCalibration? {
    let metadata = try metadata()
    return try naming(path) { () throws(ApusError) in
      try metadata?.scoreCalibration(ofOutput: output, of: importer.model)
    }
  }

  /// Nil for 0, which converters write by default.
  package func scoreThreshold(ofOutput output: Int) throws(ApusError) -> Float? {
    guard let outputs = try metadata()?.subgraphs.first?.outputs, outputs.indices.contains(output),
      let threshold = outputs[output].scoreThreshold
    else { return nil }
    return threshold > 0 ? threshold : nil
  }
}
