import CLibrary
import TensorCore
import Testing

/// What the system says of the process.
@Suite struct ProcessTests {
  @Test func variablesMayBeAnyBytes() {
    let name: [CChar] = [0x41, 0x50, 0x58, 0x3D, -1, 0x3D, 0x62, 0]
    #expect(name.withUnsafeBufferPointer { putenv(strdup($0.baseAddress.unsafelyUnwrapped)) } == 0)
    let variables = ProcessEnvironment.variables
    #expect(variables["APX"].map(FileName.bytes) == [0xFF, 0x3D, 0x62])
  }

  @Test func theUserHasAHome() { #expect(ProcessEnvironment.homeOfUser?.hasPrefix("/") == true) }

  @Test func filesOfTheKernelAreReadWhole() {
    #expect(KernelFile.text("/proc/self/maps")?.hasSuffix("\n") == true)
    #expect(KernelFile.text("/proc/self/status")?.hasPrefix("Name:") == true)
    #expect(KernelFile.text("/proc/nowhere") == nil)
  }

  @Test func numbersAreAsCPrintsThem() {
    #expect((-0.25).printed("%.3f") == "-0.250")
    #expect(1234.5.printed("%+.1f %%") == "+1234.5 %")
    #expect(1e300.printed("%.2f").count == 304)
    #expect(Double.nan.printed("%g") == "nan")
    #expect((-Double.infinity).printed("%.1f") == "-inf")
  }

  @Test(arguments: [
    (-0.0004, "%.3f", "0.000"), (-0.0, "%g", "0"), (-0.04, "%+.1f %%", "0.0 %"), (0.04, "%+.1f", "0.0"),
    (-0.0006, "%.3f", "-0.001"), (-1e-9, "%.3g", "-1e-09"), (0.06, "%+.1f", "+0.1"), (-10, "%.0f", "-10"),
  ])
  func whatRoundsToNothingHasNoSign(_ value: Double, _ format: String, _ text: String) {
    #expect(value.printed(format) == text)
  }
}
