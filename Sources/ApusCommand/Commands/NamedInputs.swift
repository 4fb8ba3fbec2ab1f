import Apus
import Formats

/// The tensors that `--input NAME=FILE` arguments give by name alone.
enum NamedInputs {
  /// - Throws: ``ApusError`` of kind `argument` for an argument without `=`, or a name given twice.
  static func tensors(_ arguments: [String]) throws(ApusError) -> [String: Tensor] {
    var tensors: [String: Tensor] = [:]
    for argument in arguments {
      guard let equals = argument.firstIndex(of: "=") else {
        throw ApusError(.argument, "no '=' in it", expected: "NAME=FILE.npy", at: "--input \(argument)")
      }
      let tensor = try Npy.tensor(contentsOf: String(argument[argument.index(after: equals)...]))
      guard tensors.updateValue(tensor, forKey: String(argument[..<equals])) == nil else {
        throw ApusError(.argument, "the input is given twice", at: "--input \(argument)")
      }
    }
    return tensors
  }
}
