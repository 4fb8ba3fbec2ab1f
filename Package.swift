// swift-tools-version: 6.2
import PackageDescription

let safe: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let strict: [SwiftSetting] = safe + [.strictMemorySafety()]

/// For modules whose tests look inside, so that they are compiled once, for the program and for its tests.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

/// Kernels are compiled once for each instruction set from the same sources (links to `Sources/KernelsShared`),
/// always optimised: unoptimised vector code would make debug builds and tests crawl. A target has the families
/// that its flags make faster; the flags are those that `InstructionSet.requires` names.
func kernelTarget(
  _ name: String, path: String? = nil, isa: String, flags: [String],
  families: [String] = ["Float", "Integer", "BFloat16"]
) -> Target {
  .target(
    name: name,
    dependencies: ["CIntrinsics"],
    path: path,
    exclude: ["Float", "Integer", "BFloat16", "Portable"].filter { !families.contains($0) },
    swiftSettings: safe + [
      .define(isa),
      .unsafeFlags(["-O", "-Xcc", "-O3"] + flags.flatMap { ["-Xcc", $0] }),
    ])
}

#if arch(x86_64)
  let avx2 = ["-mavx2", "-mfma", "-mf16c"]
  let avx512 = avx2 + ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]
  let vnni = avx512 + ["-mavx512vnni"]
  let instructionSets: [Target] = [
    kernelTarget("KernelsAVX2", isa: "ISA_AVX2", flags: avx2),
    kernelTarget("KernelsAVXVNNI", isa: "ISA_AVX2", flags: avx2 + ["-mavxvnni"], families: ["Integer"]),
    kernelTarget("KernelsAVX512", isa: "ISA_AVX512", flags: avx512),
    kernelTarget("KernelsAVX512VNNI", isa: "ISA_AVX512", flags: vnni, families: ["Integer"]),
    kernelTarget(
      "KernelsAVX512VBMI", isa: "ISA_AVX512", flags: vnni + ["-mavx512vbmi"], families: ["Integer"]),
    kernelTarget(
      "KernelsAVX512BF16", isa: "ISA_AVX512", flags: vnni + ["-mavx512bf16"], families: ["BFloat16"]),
  ]
#else
  let instructionSets: [Target] = []
#endif

/// Every module that a target imports is declared, else a change of that module would not rebuild it.
/// - Parameter isOptimised: for tests that compute much themselves; unoptimised, the others are compiled sooner.
func testTarget(_ name: String, _ modules: [String], isOptimised: Bool = false) -> Target {
  .testTarget(
    name: name, dependencies: (modules + ["TestSupport"]).map { .target(name: $0) },
    swiftSettings: safe + (isOptimised ? [] : [.unsafeFlags(["-Onone"])]))
}

/// Fuzz targets are built only on demand (`Tools/checks/fuzz`): libFuzzer brings its own `main`.
func fuzzTarget(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["FuzzBodies", "FuzzDriver"], path: "Tests/Fuzz/\(name)",
    swiftSettings: safe + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
}

let fuzzTargets: [Target] =
  Context.environment["APUS_FUZZ"] == nil
  ? []
  : [.target(name: "FuzzDriver", path: "Tests/Fuzz/Driver", swiftSettings: safe)]
    + ["FuzzTFLite", "FuzzImages", "FuzzFormats", "FuzzSafetensors", "FuzzSentencePiece", "FuzzTokenizer"]
    .map(fuzzTarget)

let package = Package(
  name: "Apus",
  products: [
    .library(name: "Apus", targets: ["Apus"]),
    .library(name: "ImageClassifierKit", targets: ["ImageClassifierKit"]),
    .library(name: "SentimentClassifierKit", targets: ["SentimentClassifierKit"]),
    .executable(name: "apus", targets: ["ApusCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .target(name: "CIntrinsics"),
    .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "TensorCore", swiftSettings: safe),
    kernelTarget(
      "KernelsBaseline", path: "Sources/KernelsShared", isa: "ISA_BASELINE", flags: [],
      families: ["Float", "Integer", "BFloat16", "Portable"]),
    .target(
      name: "Kernels",
      dependencies: ["TensorCore", "CIntrinsics", "KernelsBaseline"]
        + instructionSets.map { .target(name: $0.name) },
      swiftSettings: safe),
    .target(name: "Graph", dependencies: ["TensorCore", "Kernels", "CIntrinsics"], swiftSettings: safe),
    .target(name: "Formats", dependencies: ["TensorCore"], swiftSettings: strict + testable),
    .target(
      name: "Images", dependencies: ["TensorCore", "Formats", "CPNG", "CJPEG"],
      // Pixel loops, like kernels, are unusable unoptimised.
      swiftSettings: safe + [.unsafeFlags(["-O"])]),
    .target(name: "HTMLReport", dependencies: ["TensorCore"], swiftSettings: safe),
    .target(name: "Text", dependencies: ["TensorCore", "Formats"], swiftSettings: strict + testable),
    .target(
      name: "Models", dependencies: ["TensorCore", "Kernels", "Graph", "Formats"],
      swiftSettings: safe + testable),
    .target(
      name: "Networks",
      dependencies: ["TensorCore", "Kernels", "Graph", "Formats", "Images", "Text", "Models"],
      swiftSettings: safe),
    .target(
      name: "Apus",
      dependencies: [
        "TensorCore", "Kernels", "Graph", "Formats", "Images", "Models", "Networks", "Statistics",
      ],
      swiftSettings: safe + testable),
    .target(
      name: "ImageClassifierKit", dependencies: ["Apus", "TensorCore", "Graph", "Images", "Networks"],
      swiftSettings: safe),
    .target(
      name: "SentimentClassifierKit", dependencies: ["Apus", "TensorCore", "Graph", "Networks"],
      swiftSettings: safe),
    .target(name: "Statistics", swiftSettings: safe),
    .target(
      name: "Evaluation",
      dependencies: [
        "Apus", "TensorCore", "Kernels", "Graph", "Formats", "Images", "Models", "Networks", "Statistics",
        "HTMLReport",
      ],
      swiftSettings: safe + testable),
    .target(
      name: "KernelBenchmarks", dependencies: ["TensorCore", "Kernels", "Graph", "Images", "Statistics"],
      swiftSettings: safe),
    .target(
      name: "Quantizer",
      dependencies: [
        "TensorCore", "Kernels", "Graph", "Formats", "Images", "Models", "Networks", "Statistics",
      ],
      // Every weight of a model passes through its loops.
      swiftSettings: safe + testable + [.unsafeFlags(["-O"])]),
    .executableTarget(
      name: "ApusCommand",
      dependencies: [
        "Apus", "TensorCore", "Kernels", "Graph", "Formats", "Images", "Text", "Models", "Networks",
        "Statistics",
        "Evaluation", "HTMLReport", "KernelBenchmarks", "Quantizer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: safe,
      // With Swift's libraries inside, the program starts in half the time, and where there is no toolchain.
      linkerSettings: [.unsafeFlags(["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"])]),
    .target(
      name: "TestSupport", dependencies: ["TensorCore"], path: "Tests/TestSupport", swiftSettings: safe),
    .target(
      name: "FuzzBodies", dependencies: ["TensorCore", "Graph", "Formats", "Images", "Text", "Models"],
      path: "Tests/Fuzz/Bodies", swiftSettings: safe),
    testTarget("TensorCoreTests", ["TensorCore"]),
    testTarget("KernelsTests", ["TensorCore", "Kernels", "CIntrinsics"], isOptimised: true),
    testTarget("KernelBenchmarksTests", ["TensorCore", "Kernels", "KernelBenchmarks"]),
    testTarget("GraphTests", ["TensorCore", "Kernels", "Graph"], isOptimised: true),
    testTarget("FormatsTests", ["TensorCore", "Formats", "FuzzBodies"]),
    testTarget("TextTests", ["TensorCore", "Formats", "Text", "FuzzBodies"]),
    testTarget("ImagesTests", ["TensorCore", "Formats", "Images", "FuzzBodies"], isOptimised: true),
    testTarget("HTMLReportTests", ["HTMLReport"]),
    testTarget("ModelsTests", ["TensorCore", "Kernels", "Graph", "Formats", "Models", "FuzzBodies"]),
    testTarget("NetworksTests", ["TensorCore", "Graph", "Formats", "Images", "Text", "Models", "Networks"]),
    testTarget(
      "QuantizerTests",
      ["TensorCore", "Kernels", "Graph", "Formats", "Images", "Models", "Networks", "Apus", "Quantizer"]),
    testTarget(
      "ApusTests",
      ["TensorCore", "Graph", "Formats", "Images", "Networks", "Apus", "SentimentClassifierKit"]),
    testTarget("StatisticsTests", ["Statistics"]),
    testTarget(
      "EvaluationTests",
      [
        "TensorCore", "Kernels", "Graph", "Formats", "Images", "Models", "Networks", "Apus", "Statistics",
        "HTMLReport", "Evaluation",
      ]),
  ] + instructionSets + fuzzTargets,
  swiftLanguageModes: [.v6]
)
