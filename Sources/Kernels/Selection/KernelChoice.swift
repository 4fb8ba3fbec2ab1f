import TensorCore

/// Which instruction set's kernels each family uses.
package struct KernelChoice: Hashable, Sendable {
  private var sets: [NumericFamily: InstructionSet]

  /// What describes the choice: the name of a set where that is enough, else a set for each family.
  package private(set) var name: String

  /// The best kernels of each family for a processor that has these instructions and no others.
  /// - Parameter set: the last set that is taken into account; nil for all.
  package init(for instructions: Set<Instruction>, upTo set: InstructionSet? = nil) {
    let considered = InstructionSet.available(on: instructions, upTo: set)
    sets = Dictionary(
      uniqueKeysWithValues: NumericFamily.allCases.map { family in
        (family, family.sets.last { considered.contains($0) } ?? .baseline)
      })
    name = considered.last?.rawValue ?? "baseline"
  }

  /// The choice that a text describes, as `APUS_ISA` holds it: an instruction set, `avx512`, for the best of every
  /// family up to that; or sets for single families, `integer=avx2,float=avx512`, the others having the best there
  /// is.
  /// - Throws: ``ApusError`` of kind `argument` for a set or family that is not there, or that the processor
  ///   cannot run.
  package init(_ text: String, on instructions: Set<Instruction>) throws(ApusError) {
    self.init(for: instructions)
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 1 {
        let set = try Self.set(parts[0], among: InstructionSet.available(on: instructions), instructions)
        self = KernelChoice(for: instructions, upTo: set)
      } else {
        guard let family = NumericFamily(rawValue: parts[0]) else {
          throw ApusError(
            .argument, "there is no family of kernels '\(parts[0])'",
            expected: NumericFamily.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let usable = family.sets.filter { $0.missing(in: instructions).isEmpty }
        sets[family] = try Self.set(parts[1], among: usable, instructions)
      }
    }
    name = name(on: instructions)
  }

  private func name(on instructions: Set<Instruction>) -> String {
    let plain = InstructionSet.available(on: instructions).first {
      KernelChoice(for: instructions, upTo: $0).sets == sets
    }
    return plain?.rawValue
      ?? NumericFamily.allCases.map { "\($0.rawValue)=\(self[$0].rawValue)" }.joined(separator: ",")
  }

  package subscript(family: NumericFamily) -> InstructionSet { sets[family] ?? .baseline }

  /// Whether a text has the form of a choice, whatever this processor can run.
  package static func isChoice(_ text: String) -> Bool {
    text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { word in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return InstructionSet(rawValue: parts[parts.count - 1]) != nil
        && (parts.count == 1 || NumericFamily(rawValue: parts[0]) != nil)
    }
  }

  private static func set(
    _ name: String, among usable: [InstructionSet], _ instructions: Set<Instruction>
  ) throws(ApusError) -> InstructionSet {
    if let set = usable.first(where: { $0.rawValue == name }) { return set }
    let lacking = InstructionSet(rawValue: name)?.missing(in: instructions).map(\.rawValue) ?? []
    throw ApusError(
      .argument,
      lacking.isEmpty
        ? "there are no kernels of the instruction set '\(name)'"
        : "the processor lacks \(lacking.joined(separator: ", ")) for the instruction set '\(name)'",
      expected: usable.map(\.rawValue).joined(separator: ", "))
  }
}

extension KernelChoice: CustomStringConvertible {
  /// `float avx512, integer avx512vbmi, bfloat16 avx512bf16`.
  package var description: String {
    NumericFamily.allCases.map { "\($0.rawValue) \(self[$0].rawValue)" }.joined(separator: ", ")
  }
}

extension InstructionSet {
  /// Those that a processor can run, the slowest first, up to one of them.
  package static func available(
    on instructions: Set<Instruction>, upTo last: InstructionSet? = nil
  ) -> [InstructionSet] {
    let compiled = Set(NumericFamily.allCases.flatMap(\.sets))
    let end = last.flatMap(allCases.firstIndex) ?? allCases.count - 1
    return allCases[...end].filter { compiled.contains($0) && $0.requires.isSubset(of: instructions) }
  }
}
