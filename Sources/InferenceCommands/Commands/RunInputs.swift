import Apus
import Networks

/// The tensors that `--input NAME=FILE` arguments give to a network.
struct RunInputs {
  /// For each of the network's inputs, in order; nil for one that is left out.
  let tensors: [Tensor?]

  /// - Throws: ``ApusError`` of kind `argument` for a name that is not there, or an input without a file.
  init(_ arguments: [String], for inputs: [TensorDescription]) throws(ApusError) {
    var files: [Int: String] = [:]
    for argument in arguments {
      let (position, file) = try Self.parse(argument, inputs)
      guard files.updateValue(file, forKey: position) == nil else {
        throw ApusError(.argument, "input \(position) is given twice", at: "--input \(argument)")
      }
    }
    var tensors: [Tensor?] = []
    for (position, input) in inputs.enumerated() {
      guard let file = files[position] else {
        guard input.isOptional else { throw Self.missing(input, position) }
        tensors.append(nil)
        continue
      }
      tensors.append(try Tensor(npyFile: file))
    }
    self.tensors = tensors
  }

  /// The error that says what the input takes.
  private static func missing(_ input: TensorDescription, _ position: Int) -> ApusError {
    ApusError(
      .argument, "no file is given for input \(position) '\(input.name)'", expected: "an array \(input.form)",
      advice: "Add --input \(position)=FILE.npy.")
  }

  /// Names and paths may both contain `=`: the first place where what stands before it is an input counts.
  private static func parse(
    _ argument: String, _ inputs: [TensorDescription]
  ) throws(ApusError) -> (position: Int, file: String) {
    for index in argument.indices where argument[index] == "=" {
      if let position = inputs.position(of: String(argument[..<index])) {
        return (position, String(argument[argument.index(after: index)...]))
      }
    }
    guard let equals = argument.firstIndex(of: "=") else {
      throw ApusError(.argument, "no '=' in it", expected: "NAME=FILE.npy", at: "--input \(argument)")
    }
    throw inputs.unknownInput(argument[..<equals]).at("--input \(argument)")
  }
}
