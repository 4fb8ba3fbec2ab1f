import Apus
import Formats
import Models

/// The tensors that `--input NAME=FILE` arguments give to a model.
struct RunInputs {
  /// In the order of the model's inputs.
  let tensors: [Tensor]

  /// - Throws: ``ApusError`` of kind `argument` for a name that is not there, or an input without a file.
  init(_ arguments: [String], for interface: TFLiteInterface) throws(ApusError) {
    var files: [Int: String] = [:]
    for argument in arguments {
      let (position, file) = try Self.parse(argument, interface)
      guard files.updateValue(file, forKey: position) == nil else {
        throw ApusError(.argument, "input \(position) is given twice", at: "--input \(argument)")
      }
    }
    var tensors: [Tensor] = []
    for (position, port) in interface.inputs.enumerated() {
      guard let file = files[position] else {
        throw ApusError(
          .argument, "no file is given for input \(position) '\(port.name)'",
          advice: "Add --input \(position)=FILE.npy.")
      }
      tensors.append(try Npy.tensor(contentsOf: file))
    }
    self.tensors = tensors
  }

  /// Names and paths may both contain `=`: the first place where what stands before it is an input counts.
  private static func parse(
    _ argument: String, _ interface: TFLiteInterface
  ) throws(ApusError) -> (position: Int, file: String) {
    var failure: ApusError?
    for index in argument.indices where argument[index] == "=" {
      let name = String(argument[..<index])
      let file = String(argument[argument.index(after: index)...])
      do {
        return (try position(of: name, interface), file)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure?.at("--input \(argument)")
      ?? ApusError(.argument, "no '=' in it", expected: "NAME=FILE.npy", at: "--input \(argument)")
  }

  private static func position(of name: String, _ interface: TFLiteInterface) throws(ApusError) -> Int {
    let isName = interface.inputs.contains { $0.name == name || $0.tensorName == name }
    if !isName, let position = Int(name) { return try interface.position(of: .position(position)) }
    return try interface.position(of: .name(name))
  }
}
