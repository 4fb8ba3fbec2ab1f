import Formats
import Images
import Networks
import TensorCore

/// Writes a model anew with its weights in fewer bits: a `.tflite` file, or a model folder.
///
///     let quantizer = try ModelQuantizer("mobilenet.tflite", .init(.int8, calibration: "pictures"))
///     let report = try quantizer.write(to: "mobilenet-int8.tflite")
///     print(report.fileBytesBefore, report.fileBytesAfter, report.error.decibels)
///
/// A folder's other files are copied as they are, and its int8 form runs at any precision. The int8 form of a
/// `.tflite` file computes with integers throughout.
public struct ModelQuantizer: Sendable {
  private enum Form: Sendable {
    case file(TFLiteQuantizer)
    case folder(FolderQuantizer)
  }

  private let form: Form

  /// Whether what is written is one file.
  var writesFile: Bool {
    if case .file = form { true } else { false }
  }

  /// Opens a model.
  /// - Parameters:
  ///   - model: a float `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  ///   - options: the type of the weights, and how they get it.
  /// - Throws: ``ApusError`` of kind `file` or `malformedModel` when the model cannot be read; of kind `argument` for
  ///   options that are not for such a model.
  public init(_ model: String, _ options: Options) throws(ApusError) {
    guard options.calibration == nil || options.target == .int8 else {
      throw ApusError(.argument, "samples for \(options.target.rawValue) weights", expected: "int8")
    }
    switch try ModelPlace(model) {
    case .file(let path): form = .file(try TFLiteQuantizer(path, try options.ofFile()))
    case .folder(let folder): form = .folder(FolderQuantizer(folder, try options.ofFolder()))
    }
  }

  /// Says whether the model can be written to a place, before work that takes long.
  /// - Throws: ``ApusError`` of kind `argument` when something is there that is to stay.
  public func checkPlace(_ output: String) throws(ApusError) {
    switch form {
    case .file(let quantizer): try quantizer.checkPlace(output)
    case .folder(let quantizer): try quantizer.checkPlace(output)
    }
  }

  /// Writes the new model, which is there when all of it is written. It takes minutes for a large model, and blocks the
  /// thread: an `async` function calls it from one of its own.
  /// - Parameter output: the new file, or the new folder.
  /// - Returns: what became of the weights, and what it cost.
  /// - Throws: ``ApusError`` of kind `argument` when the output is there already; of kind `unsupportedModel` with all
  ///   that stands in the way; of kind `file` or `image` for a sample.
  public func write(to output: String) throws(ApusError) -> QuantizationReport {
    switch form {
    case .file(let quantizer): try quantizer.write(to: output)
    case .folder(let quantizer): try quantizer.write(to: output)
    }
  }
}
