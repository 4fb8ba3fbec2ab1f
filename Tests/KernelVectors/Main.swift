import CHost

// Runs every kernel of one instruction set on made-up operands. As `write` it prints what comes out, as `check` it
// compares that with what another instruction set printed. `Tools/checks/check-arm` builds it for the machine at hand and
// for arm64, with the sources of the kernels beside it in one module: Embedded Swift, which needs no runtime library.

/// - Returns: 0 when every result is what was expected, 1 when one is not, 2 for a wrong call.
@_cdecl("main")
func run(_ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>?>) -> Int32 {
  // The first letter says which: write or check.
  guard count == 2, let word = arguments[1] else { return 2 }
  let results = KernelResults(writes: word[0] == UInt8(ascii: "w"))
  #if FAMILY_FLOAT
    floatCases(results)
  #endif
  #if FAMILY_INTEGER
    integerCases(results)
  #endif
  #if FAMILY_BFLOAT16
    bfloat16Cases(results)
  #endif
  return results.finish() ? 0 : 1
}
