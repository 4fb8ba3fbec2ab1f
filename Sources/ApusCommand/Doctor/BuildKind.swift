import CBuild
import Kernels

/// How the program was made.
enum BuildKind {
  /// `package of 1a2b3c4`, or `own`, and which kernels were left out for the processor that it was built on.
  static var description: String {
    let commit = String(cString: apus_build_commit())
    let kind = commit.isEmpty ? "own" : "package of \(commit)"
    return leftOut.isEmpty
      ? "\(kind), all kernels" : "\(kind), without kernels for \(names(leftOut))"
  }

  /// A warning if the processor could run kernels that were left out of the build; nil otherwise.
  static var warning: String? {
    let instructions = ProcessorFeatures.host.instructions
    let useful = leftOut.filter { $0.missing(in: instructions).isEmpty }
    return useful.isEmpty
      ? nil : "built on another processor, without kernels for \(names(useful)); build it on this one."
  }

  private static var leftOut: [InstructionSet] {
    let compiled = Set(NumericFamily.allCases.flatMap(\.sets))
    return InstructionSet.ofThisArchitecture.filter { !compiled.contains($0) }
  }

  private static func names(_ sets: [InstructionSet]) -> String {
    sets.map(\.rawValue).joined(separator: ", ")
  }
}
