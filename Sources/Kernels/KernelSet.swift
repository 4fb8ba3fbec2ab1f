import CIntrinsics
import Foundation
import KernelsBaseline

#if arch(x86_64)
  import KernelsAVX2
  import KernelsAVX512
  import KernelsAVX512BF16
  import KernelsAVX512VNNI
#endif

/// The kernels of one instruction set, all compiled from the same sources.
package struct KernelSet: Sendable {
  /// The name by which `APUS_ISA` asks for it.
  package let name: String
  /// Elements of 4 bytes in a vector.
  package let lanes: Int
  /// Rows of the largest register tile.
  package let tileRows: Int
  package let linear: LinearKernels
  package let ceilings: CeilingKernels
  package let gemmFloat32: @Sendable (UnsafePointer<ApusGemm>) -> Void
  package let gemmBFloat16: @Sendable (UnsafePointer<ApusGemm>) -> Void
  package let gemmInteger8: @Sendable (UnsafePointer<ApusGemm>) -> Void
  package let gemmInteger8ToFloat32: @Sendable (UnsafePointer<ApusGemm>) -> Void
  package let depthwiseFloat32: @Sendable (UnsafePointer<ApusDepthwise>) -> Void
  package let depthwise3x3Integer8: @Sendable (UnsafePointer<ApusDepthwise>) -> Void
  package let depthwiseInteger8: @Sendable (UnsafePointer<ApusDepthwise>) -> Void
  package let addInteger8: @Sendable (UnsafePointer<ApusQuantizedAdd>) -> Void
  package let gatherPatches: @Sendable (UnsafePointer<ApusPatches>) -> Void
  package let mapFloat32: @Sendable (Int32, UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
  package let softmaxFloat32: @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int, Int, Float) -> Void
  package let normalizeLayerFloat32:
    @Sendable (
      UnsafeRawPointer, UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer, Int, Int, Float
    ) -> Void
  package let meanOfRowsFloat32: @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int, Int, Int) -> Void
  package let widenFloat16: @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
  package let widenBFloat16: @Sendable (UnsafeRawPointer, UnsafeMutableRawPointer, Int) -> Void
  package let sumRows8:
    @Sendable (UnsafeRawPointer, Int, Int, Int, Bool, Int32, UnsafeMutablePointer<Int32>) -> Void

  /// Columns of a full panel of packed weights.
  package var panelColumns: Int { 2 * lanes }
}

extension KernelSet {
  /// The sets that this processor can run, the slowest first.
  package static let available: [KernelSet] = {
    let features = ProcessorFeatures.host
    var sets = [baseline]
    #if arch(x86_64)
      if features.avx2 { sets.append(avx2) }
      if features.avx512 { sets.append(avx512) }
      if features.avx512, features.vnni { sets.append(avx512vnni) }
      if features.avx512, features.vnni, features.bfloat16 { sets.append(avx512bf16) }
    #endif
    return sets
  }()

  /// The set in use: the fastest this processor can run, or the one that `APUS_ISA` names.
  package static let best: KernelSet = {
    let fastest = available.last ?? baseline
    guard let wanted = ProcessInfo.processInfo.environment["APUS_ISA"] else { return fastest }
    return named(wanted) ?? fastest
  }()

  /// The available set of that name; nil when there is none or this processor lacks an instruction.
  package static func named(_ name: String) -> KernelSet? { available.first { $0.name == name } }

  package static let baseline = KernelSet(
    name: "baseline", lanes: KernelsBaseline.vectorLanes, tileRows: KernelsBaseline.tileRows,
    linear: .baseline, ceilings: .baseline,
    gemmFloat32: { KernelsBaseline.gemmFloat32($0) },
    gemmBFloat16: { KernelsBaseline.gemmBFloat16($0) },
    gemmInteger8: { KernelsBaseline.gemmInteger8($0) },
    gemmInteger8ToFloat32: { KernelsBaseline.gemmInteger8ToFloat32($0) },
    depthwiseFloat32: { KernelsBaseline.depthwiseFloat32($0) },
    depthwise3x3Integer8: { KernelsBaseline.depthwise3x3Integer8($0) },
    depthwiseInteger8: { KernelsBaseline.depthwiseInteger8($0) },
    addInteger8: { KernelsBaseline.addInteger8($0) },
    gatherPatches: { KernelsBaseline.gatherPatches($0) },
    mapFloat32: { KernelsBaseline.mapFloat32($0, $1, $2, $3) },
    softmaxFloat32: { KernelsBaseline.softmaxFloat32($0, $1, rows: $2, width: $3, beta: $4) },
    normalizeLayerFloat32: {
      KernelsBaseline.normalizeLayerFloat32($0, $1, scale: $2, offset: $3, rows: $4, width: $5, epsilon: $6)
    },
    meanOfRowsFloat32: { KernelsBaseline.meanOfRowsFloat32($0, $1, stride: $2, rows: $3, width: $4) },
    widenFloat16: { KernelsBaseline.widenFloat16($0, $1, $2) },
    widenBFloat16: { KernelsBaseline.widenBFloat16($0, $1, $2) },
    sumRows8: {
      KernelsBaseline.sumRows8($0, stride: $1, rows: $2, bytes: $3, isSigned: $4, factor: $5, into: $6)
    })

  #if arch(x86_64)
    package static let avx2 = KernelSet(
      name: "avx2", lanes: KernelsAVX2.vectorLanes, tileRows: KernelsAVX2.tileRows,
      linear: .avx2, ceilings: .avx2,
      gemmFloat32: { KernelsAVX2.gemmFloat32($0) },
      gemmBFloat16: { KernelsAVX2.gemmBFloat16($0) },
      gemmInteger8: { KernelsAVX2.gemmInteger8($0) },
      gemmInteger8ToFloat32: { KernelsAVX2.gemmInteger8ToFloat32($0) },
      depthwiseFloat32: { KernelsAVX2.depthwiseFloat32($0) },
      depthwise3x3Integer8: { KernelsAVX2.depthwise3x3Integer8($0) },
      depthwiseInteger8: { KernelsAVX2.depthwiseInteger8($0) },
      addInteger8: { KernelsAVX2.addInteger8($0) },
      gatherPatches: { KernelsAVX2.gatherPatches($0) },
      mapFloat32: { KernelsAVX2.mapFloat32($0, $1, $2, $3) },
      softmaxFloat32: { KernelsAVX2.softmaxFloat32($0, $1, rows: $2, width: $3, beta: $4) },
      normalizeLayerFloat32: {
        KernelsAVX2.normalizeLayerFloat32($0, $1, scale: $2, offset: $3, rows: $4, width: $5, epsilon: $6)
      },
      meanOfRowsFloat32: { KernelsAVX2.meanOfRowsFloat32($0, $1, stride: $2, rows: $3, width: $4) },
      widenFloat16: { KernelsAVX2.widenFloat16($0, $1, $2) },
      widenBFloat16: { KernelsAVX2.widenBFloat16($0, $1, $2) },
      sumRows8: {
        KernelsAVX2.sumRows8($0, stride: $1, rows: $2, bytes: $3, isSigned: $4, factor: $5, into: $6)
      })

    package static let avx512 = KernelSet(
      name: "avx512", lanes: KernelsAVX512.vectorLanes, tileRows: KernelsAVX512.tileRows,
      linear: .avx512, ceilings: .avx512,
      gemmFloat32: { KernelsAVX512.gemmFloat32($0) },
      gemmBFloat16: { KernelsAVX512.gemmBFloat16($0) },
      gemmInteger8: { KernelsAVX512.gemmInteger8($0) },
      gemmInteger8ToFloat32: { KernelsAVX512.gemmInteger8ToFloat32($0) },
      depthwiseFloat32: { KernelsAVX512.depthwiseFloat32($0) },
      depthwise3x3Integer8: { KernelsAVX512.depthwise3x3Integer8($0) },
      depthwiseInteger8: { KernelsAVX512.depthwiseInteger8($0) },
      addInteger8: { KernelsAVX512.addInteger8($0) },
      gatherPatches: { KernelsAVX512.gatherPatches($0) },
      mapFloat32: { KernelsAVX512.mapFloat32($0, $1, $2, $3) },
      softmaxFloat32: { KernelsAVX512.softmaxFloat32($0, $1, rows: $2, width: $3, beta: $4) },
      normalizeLayerFloat32: {
        KernelsAVX512.normalizeLayerFloat32($0, $1, scale: $2, offset: $3, rows: $4, width: $5, epsilon: $6)
      },
      meanOfRowsFloat32: { KernelsAVX512.meanOfRowsFloat32($0, $1, stride: $2, rows: $3, width: $4) },
      widenFloat16: { KernelsAVX512.widenFloat16($0, $1, $2) },
      widenBFloat16: { KernelsAVX512.widenBFloat16($0, $1, $2) },
      sumRows8: {
        KernelsAVX512.sumRows8($0, stride: $1, rows: $2, bytes: $3, isSigned: $4, factor: $5, into: $6)
      })

    package static let avx512vnni = KernelSet(
      name: "avx512vnni", lanes: KernelsAVX512VNNI.vectorLanes, tileRows: KernelsAVX512VNNI.tileRows,
      linear: .avx512vnni, ceilings: .avx512vnni,
      gemmFloat32: { KernelsAVX512VNNI.gemmFloat32($0) },
      gemmBFloat16: { KernelsAVX512VNNI.gemmBFloat16($0) },
      gemmInteger8: { KernelsAVX512VNNI.gemmInteger8($0) },
      gemmInteger8ToFloat32: { KernelsAVX512VNNI.gemmInteger8ToFloat32($0) },
      depthwiseFloat32: { KernelsAVX512VNNI.depthwiseFloat32($0) },
      depthwise3x3Integer8: { KernelsAVX512VNNI.depthwise3x3Integer8($0) },
      depthwiseInteger8: { KernelsAVX512VNNI.depthwiseInteger8($0) },
      addInteger8: { KernelsAVX512VNNI.addInteger8($0) },
      gatherPatches: { KernelsAVX512VNNI.gatherPatches($0) },
      mapFloat32: { KernelsAVX512VNNI.mapFloat32($0, $1, $2, $3) },
      softmaxFloat32: { KernelsAVX512VNNI.softmaxFloat32($0, $1, rows: $2, width: $3, beta: $4) },
      normalizeLayerFloat32: {
        KernelsAVX512VNNI.normalizeLayerFloat32(
          $0, $1, scale: $2, offset: $3, rows: $4, width: $5, epsilon: $6)
      },
      meanOfRowsFloat32: { KernelsAVX512VNNI.meanOfRowsFloat32($0, $1, stride: $2, rows: $3, width: $4) },
      widenFloat16: { KernelsAVX512VNNI.widenFloat16($0, $1, $2) },
      widenBFloat16: { KernelsAVX512VNNI.widenBFloat16($0, $1, $2) },
      sumRows8: {
        KernelsAVX512VNNI.sumRows8($0, stride: $1, rows: $2, bytes: $3, isSigned: $4, factor: $5, into: $6)
      })

    package static let avx512bf16 = KernelSet(
      name: "avx512bf16", lanes: KernelsAVX512BF16.vectorLanes, tileRows: KernelsAVX512BF16.tileRows,
      linear: .avx512bf16, ceilings: .avx512bf16,
      gemmFloat32: { KernelsAVX512BF16.gemmFloat32($0) },
      gemmBFloat16: { KernelsAVX512BF16.gemmBFloat16($0) },
      gemmInteger8: { KernelsAVX512BF16.gemmInteger8($0) },
      gemmInteger8ToFloat32: { KernelsAVX512BF16.gemmInteger8ToFloat32($0) },
      depthwiseFloat32: { KernelsAVX512BF16.depthwiseFloat32($0) },
      depthwise3x3Integer8: { KernelsAVX512BF16.depthwise3x3Integer8($0) },
      depthwiseInteger8: { KernelsAVX512BF16.depthwiseInteger8($0) },
      addInteger8: { KernelsAVX512BF16.addInteger8($0) },
      gatherPatches: { KernelsAVX512BF16.gatherPatches($0) },
      mapFloat32: { KernelsAVX512BF16.mapFloat32($0, $1, $2, $3) },
      softmaxFloat32: { KernelsAVX512BF16.softmaxFloat32($0, $1, rows: $2, width: $3, beta: $4) },
      normalizeLayerFloat32: {
        KernelsAVX512BF16.normalizeLayerFloat32(
          $0, $1, scale: $2, offset: $3, rows: $4, width: $5, epsilon: $6)
      },
      meanOfRowsFloat32: { KernelsAVX512BF16.meanOfRowsFloat32($0, $1, stride: $2, rows: $3, width: $4) },
      widenFloat16: { KernelsAVX512BF16.widenFloat16($0, $1, $2) },
      widenBFloat16: { KernelsAVX512BF16.widenBFloat16($0, $1, $2) },
      sumRows8: {
        KernelsAVX512BF16.sumRows8($0, stride: $1, rows: $2, bytes: $3, isSigned: $4, factor: $5, into: $6)
      })

  #endif
}
