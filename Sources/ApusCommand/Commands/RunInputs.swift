import Apus
import Formats
import Networks

/// The tensors that `--input NAME=FILE` arguments give to a network.
struct RunInputs {
  /// For each of the network's inputs, in order; nil for one that is left out.
  let tensors: [Tensor?]

  /// - Throws: ``ApusError`` of kind `argument` for a name that is not there, or an input without a file.
  init(_ arguments: [String], for network: Network) throws(ApusError) {
    let inputs = try network.inputs()
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
        guard input.isOptional else { throw Self.missing(input, position, of: network) }
        tensors.append(nil)
        continue
      }
      tensors.append(try Npy.tensor(contentsOf: file))
    }
    self.tensors = tensors
  }

  /// The error that says what the input takes.
  private static func missing(_ input: NetworkInput, _ position: Int, of network: Network) -> ApusError {
    var form = input.form.map { "\($0)" }
    if form == nil, let types = try? network.inputTypes(), types.indices.contains(position) {
      form = "\(types[position])"
    }
    return ApusError(
      .argument, "no file is given for input \(position) '\(input.name)'",
      expected: form.map { "an array \($0)" }, advice: "Add --input \(position)=FILE.npy.")
  }

  /// Names and paths may both contain `=`: the first place where what stands before it is an input counts.
  private static func parse(
    _ argument: String, _ inputs: [NetworkInput]
  ) throws(ApusError) -> (position: Int, file: String) {
    for index in argument.indices where argument[index] == "=" {
      if let position = position(of: String(argument[..<index]), inputs) {
        return (position, String(argument[argument.index(after: index)...]))
      }
    }
    guard let equals = argument.firstIndex(of: "=") else {
      throw ApusError(.argument, "no '=' in it", expected: "NAME=FILE.npy", at: "--input \(argument)")
    }
    let asked = argument[..<equals]
    let list = inputs.prefix(20).enumerated().map { "\($0) '\($1.name)'" }.joined(separator: ", ")
    throw ApusError(
      .argument, "the model has no input \(Int(asked) == nil ? "'\(asked)'" : String(asked))",
      expected: inputs.isEmpty ? "none" : "one of \(list)", at: "--input \(argument)")
  }

  /// By its name outside the model, else by the one inside, else by its position.
  private static func position(of name: String, _ inputs: [NetworkInput]) -> Int? {
    if let found = inputs.firstIndex(where: { $0.name == name }) { return found }
    if let found = inputs.firstIndex(where: { $0.innerName == name }) { return found }
    return Int(name).flatMap { inputs.indices.contains($0) ? $0 : nil }
  }
}
