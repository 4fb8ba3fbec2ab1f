import Formats
import Testing

@testable import Models

/// The tables of operators agree with each other and with the options that files give.
struct TFLiteOperatorTests {
  @Test func everyOperatorIsDescribedOnce() {
    let described = TFLiteOperators.all.map(\.builtin) + TFLiteRefusedFamily.all.flatMap(\.operators)
    #expect(described.count == Set(described).count)
  }

  /// An importer that asks for other options than files of its operator have could never run.
  @Test func everyOperatorReadsItsOwnOptions() {
    for descriptor in TFLiteOperators.all {
      guard let options = descriptor.options else { continue }
      #expect(descriptor.builtin.options == options, "\(descriptor.builtin.name)")
    }
  }
}
