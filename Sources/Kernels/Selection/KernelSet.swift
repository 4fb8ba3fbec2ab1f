import CIntrinsics
import CLibrary
import TensorCore

/// The kernels that a model is computed with: of each family those of one instruction set.
///
/// What one family packs or stages no other reads, so that any tables go together.
package struct KernelSet: Sendable {
  package let choice: KernelChoice
  /// By this `APUS_ISA` asks for it.
  package let name: String
  package let float: ApusFloatKernels
  package let integer: ApusIntegerKernels
  package let bfloat16: ApusBFloat16Kernels

  /// - Parameter choice: one that this processor can run.
  private init(_ choice: KernelChoice) {
    self.choice = choice
    name = choice.name
    float = Self.row(of: KernelRows.float, for: choice[.float]).table()
    integer = Self.row(of: KernelRows.integer, for: choice[.integer]).table()
    bfloat16 = Self.row(of: KernelRows.bfloat16, for: choice[.bfloat16]).table()
  }

  private static func row<Table>(
    of rows: [KernelRow<Table>], for set: InstructionSet
  ) -> KernelRow<Table> {
    // A choice has sets of the family only; the first needs nothing.
    rows.first { $0.set == set } ?? rows[0]
  }
}

extension KernelSet {
  /// The best of each instruction set that this processor has, the slowest first; last the fastest.
  package static let available: [KernelSet] = {
    let instructions = ProcessorFeatures.host.instructions
    return InstructionSet.available(on: instructions).map {
      KernelSet(KernelChoice(for: instructions, upTo: $0))
    }
  }()

  /// The fastest kernels that this processor can run.
  package static let fastest = KernelSet(KernelChoice(for: ProcessorFeatures.host.instructions))

  /// The kernels that a text asks for; see ``KernelChoice``.
  /// - Throws: ``ApusError`` of kind `argument`.
  package static func named(_ text: String) throws(ApusError) -> KernelSet {
    KernelSet(try KernelChoice(text, on: ProcessorFeatures.host.instructions))
  }

  private static let selection: Result<KernelSet, ApusError> = {
    guard let wanted = EnvironmentVariable.instructionSet.value() else { return .success(fastest) }
    return Result { () throws(ApusError) in try named(wanted) }.mapError { $0.at("APUS_ISA=\(wanted)") }
  }()

  /// The kernels in use: those that `APUS_ISA` asks for, else the fastest.
  /// - Throws: ``ApusError`` of kind `argument` when `APUS_ISA` asks for what is not there.
  package static func selected() throws(ApusError) -> KernelSet { try selection.get() }

  /// The kernels in use. Nothing is computed with others: where ``selected()`` throws, no model is compiled.
  package static var best: KernelSet { (try? selected()) ?? fastest }

  /// Elements of 4 bytes in a vector of the kernels of a format.
  package func lanes(_ format: WeightFormat) -> Int {
    switch format {
    case .float32: float.lanes
    case .bfloat16: bfloat16.lanes
    case .int8, .int16: integer.lanes
    }
  }

  /// Rows of the largest register tile of a format's products.
  package func tileRows(_ format: WeightFormat) -> Int {
    switch format {
    case .float32: float.tileRows
    case .bfloat16: bfloat16.tileRows
    case .int8, .int16: integer.tileRows
    }
  }
}
