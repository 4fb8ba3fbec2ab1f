// swift-tools-version: 6.3
import PackageDescription

/// Whether parsers and decoders are built for libFuzzer (`Tools/checks/fuzz`).
let isForFuzzing = Context.environment["APUS_FUZZ"] != nil
let sanitizers = "-sanitize=fuzzer,address"

let warned: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let safe: [SwiftSetting] = warned + (isForFuzzing ? [.unsafeFlags([sanitizers])] : [])
let strict: [SwiftSetting] = safe + [.strictMemorySafety()]

/// For modules whose tests look inside, so that they are compiled once, for the program and for its tests.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

/// The commit that `Tools/package` makes a package of; nil where somebody builds for themselves, and waits for it.
let commit = Context.environment["APUS_PACKAGE"]
let isForPackage = commit != nil

/// Whether `Tools/apus` builds the program that answers first in a new clone, for which somebody waits.
let isFirst = Context.environment["APUS_FIRST"] != nil

/// For what takes no time when it runs, and much to optimise: a fifth of a first build.
let cold: [SwiftSetting] = safe + (isForPackage ? [] : [.unsafeFlags(["-Onone"])])
/// For what opens models and prepares their inputs: another fifth, and milliseconds of a short command.
let opening: [SwiftSetting] = isFirst ? [.unsafeFlags(["-Onone"])] : []

/// Whether kernels are for x86-64, else for arm64: those of this machine, or of `APUS_ARCHITECTURE` (`x86_64`, `aarch64`), for
/// which a Swift SDK builds here.
let isForX86: Bool = {
  #if arch(x86_64)
    let host = "x86_64"
  #else
    let host = "aarch64"
  #endif
  return (Context.environment["APUS_ARCHITECTURE"] ?? host) == "x86_64"
}()

/// Kernels are compiled once for each instruction set from the same sources (links to `Sources/KernelsShared`),
/// always optimised: unoptimised vector code would make debug builds and tests crawl. A target has the families
/// that its flags make faster; the flags are those that `InstructionSet.requires` names.
struct KernelRow {
  let name: String
  let path: String?
  let instructions: [String]
  let isa: String
  var families: [String]
  var optimisation = "-O"

  init(
    _ name: String, _ instructions: [String], isa: String,
    families: [String] = ["Float", "Integer", "BFloat16"],
    path: String? = nil
  ) {
    (self.name, self.path, self.instructions, self.isa) = (name, path, instructions, isa)
    self.families = families
  }

  /// Whether bytes are multiplied as numbers of 16 bits: where there are products of those alone.
  private var widensBytes: Bool {
    isForX86 && !instructions.contains { $0.hasSuffix("vnni") }
  }

  var target: Target {
    .target(
      name: "Kernels\(name)",
      dependencies: ["CIntrinsics"],
      path: path,
      exclude: ["Float", "Integer", "BFloat16"].filter { !families.contains($0) },
      swiftSettings: warned + (widensBytes ? [.define("WIDENS_BYTES")] : []) + [
        .define(isa), .define("ROW_\(name)"),
        .unsafeFlags(
          [optimisation, "-Xcc", "-O3"] + instructions.flatMap { ["-Xcc", "-m\($0)"] }),
        // For libFuzzer, which has nothing to find out about kernels, they take five times as long to compile.
        .unsafeFlags(isForFuzzing ? ["-sanitize=address"] : []),
      ])
  }
}

/// What kernels are compiled for: all there is, but where `Tools/build` names the instructions of the processor, what that
/// can run. The slowest first.
let rows: [KernelRow] = {
  let baseline = KernelRow("Baseline", [], isa: "ISA_BASELINE", path: "Sources/KernelsShared")
  guard isForX86 else {
    return [
      baseline,
      KernelRow("NEONDotProduct", ["arch=armv8-a+dotprod"], isa: "ISA_NEON", families: ["Integer"]),
      KernelRow(
        "NEONI8MM", ["arch=armv8-a+dotprod+i8mm"], isa: "ISA_NEON_I8MM", families: ["Integer"]),
      KernelRow("NEONBF16", ["arch=armv8-a+bf16"], isa: "ISA_NEON_BF16", families: ["BFloat16"]),
    ]
  }
  let avx2 = ["avx2", "fma", "f16c"]
  let avx512 = avx2 + ["avx512f", "avx512bw", "avx512dq", "avx512vl"]
  let vnni = avx512 + ["avx512vnni"]
  let all = [
    baseline,
    KernelRow("AVX2", avx2, isa: "ISA_AVX2"),
    KernelRow("AVXVNNI", avx2 + ["avxvnni"], isa: "ISA_AVX2", families: ["Integer"]),
    KernelRow("AVX512", avx512, isa: "ISA_AVX512"),
    KernelRow("AVX512VNNI", vnni, isa: "ISA_AVX512", families: ["Integer"]),
    KernelRow("AVX512VBMI", vnni + ["avx512vbmi"], isa: "ISA_AVX512", families: ["Integer"]),
    KernelRow("AVX512BF16", vnni + ["avx512bf16"], isa: "ISA_AVX512", families: ["BFloat16"]),
  ]
  guard let processor = Context.environment["APUS_PROCESSOR"], processor != "all" else {
    return all
  }
  // /proc/cpuinfo writes `avx512_vnni`.
  let instructions = Set(processor.split(separator: " ").map { $0.filter { $0 != "_" } })
  let usable = all.filter { $0.instructions.allSatisfy(instructions.contains) }
  return isFirst || isForFuzzing ? fastest(of: usable) : usable
}()

/// Of each family the last row, and the baseline in case that the program comes to another processor: unoptimised, unless
/// this one has nothing better.
func fastest(of rows: [KernelRow]) -> [KernelRow] {
  rows.enumerated().compactMap { index, row in
    let later = rows[(index + 1)...].flatMap(\.families)
    var row = row
    let isBaseline = index == 0
    let best = row.families.filter { !later.contains($0) }
    if isBaseline {
      if best.isEmpty { row.optimisation = "-Onone" }
    } else {
      row.families = best
    }
    return isBaseline || !best.isEmpty ? row : nil
  }
}

/// What is linked wherever something is computed. Nothing is compiled after it.
let kernels: [Target.Dependency] = rows.map { .target(name: $0.target.name) }

/// Every module that a target imports is declared, else a change of that module would not rebuild it.
/// - Parameters:
///   - products: of other packages.
///   - isOptimised: for tests that compute much themselves; unoptimised, the others are compiled sooner.
func testTarget(
  _ name: String, _ modules: [String], products: [Target.Dependency] = [], isOptimised: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: modules.map { .target(name: $0) } + products,
    swiftSettings: safe + (isOptimised ? [] : [.unsafeFlags(["-Onone"])]))
}

/// A part of the facade with a model inside: `Model` is a link to a folder of `Weights`.
/// - Parameters:
///   - files: of that folder, which come with the product.
///   - others: of that folder, which do not.
///   - modules: that it needs beside the facade.
func kit(
  _ name: String, _ files: [String], without others: [String],
  modules: [Target.Dependency] = ["Networks"]
) -> Target {
  .target(
    name: name, dependencies: ["Apus"] + modules,
    exclude: others.map { "Model/\($0)" }, resources: files.map { .copy("Model/\($0)") },
    swiftSettings: safe)
}

/// `Tools/package` puts archives of the libraries there that programs elsewhere may lack. Packed relocations, which a
/// program has 64 000 of, need the C library 2.36.
let packaged = [
  "-L.build/package/libraries", "-Xclang-linker", "-static-libgcc", "-Xlinker", "-z", "-Xlinker",
  "pack-relative-relocs",
]

/// With Swift's libraries inside, a program starts in half the time, and where there is no toolchain. Nobody loads it as a
/// library, so that it exports no symbols, which Swift's own list of arguments asks for.
let selfContained: LinkerSetting = .unsafeFlags(
  [
    "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-static-stdlib", "-l_FoundationCShims",
    "-l_FoundationCollections",
  ]
    + (isForPackage ? packaged : []))

/// Fuzz targets are built only on demand (`Tools/checks/fuzz`): libFuzzer brings its own `main`.
func fuzzTarget(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["FuzzBodies", "FuzzDriver"], path: "Tests/Fuzz/\(name)",
    swiftSettings: safe + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: [.unsafeFlags(["-use-ld=lld", sanitizers])])
}

let fuzzTargets: [Target] =
  !isForFuzzing
  ? []
  : [.target(name: "FuzzDriver", path: "Tests/Fuzz/Driver", swiftSettings: safe)]
    + [
      "FuzzTFLite", "FuzzONNX", "FuzzImages", "FuzzFormats", "FuzzSafetensors", "FuzzCheckpoint",
      "FuzzSentencePiece",
      "FuzzTokenizer",
    ].map(fuzzTarget)

let package = Package(
  name: "Apus",
  products: [
    .library(name: "Apus", targets: ["Apus"]),
    .library(name: "ImageClassifierKit", targets: ["ImageClassifierKit"]),
    .library(name: "SentimentClassifierKit", targets: ["SentimentClassifierKit"]),
    .library(name: "ApusQuantizer", targets: ["ApusQuantizer"]),
    .library(name: "ApusEvaluation", targets: ["ApusEvaluation"]),
    .library(name: "ApusPhotos", targets: ["ApusPhotos"]),
    .library(name: "ApusService", targets: ["ApusService"]),
    // For the programs of `Server`.
    .library(name: "CLibrary", targets: ["CLibrary"]),
    .library(name: "CProcess", targets: ["CProcess"]),
    .library(name: "JSONCoding", targets: ["JSONCoding"]),
    .executable(name: "apus", targets: ["ApusCommand"]),
    .executable(name: "apus-inference", targets: ["ApusInferenceCommand"]),
    .executable(name: "apus-photos", targets: ["ApusPhotosCommand"]),
  ],
  // On unless a package says `traits: []`: then GRDB is not even fetched.
  traits: [
    .trait(name: "Photos", description: "The product ApusPhotos, which needs GRDB and SQLite."),
    .default(enabledTraits: ["Photos"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CIntrinsics"),
    .target(name: "CLibrary", swiftSettings: strict),
    .target(name: "CPNG", linkerSettings: ["png", "z"].map { .linkedLibrary($0) }),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CCodecs"),
    .target(name: "CBuild", cSettings: [.define("APUS_COMMIT", to: commit ?? "")]),
    .target(name: "TensorCore", dependencies: ["CLibrary"], swiftSettings: safe),
    .target(
      name: "Kernels", dependencies: ["CLibrary", "TensorCore", "CIntrinsics"], swiftSettings: safe),
    .target(
      name: "Graph", dependencies: ["CLibrary", "TensorCore", "Kernels", "CIntrinsics"],
      swiftSettings: safe),
    .target(name: "JSONCoding", dependencies: ["TensorCore"], swiftSettings: strict + opening),
    .target(
      name: "Formats", dependencies: ["CLibrary", "TensorCore", "JSONCoding"],
      swiftSettings: strict + testable + opening),
    .target(
      name: "Images",
      dependencies: ["CLibrary", "TensorCore", "Kernels", "Formats", "CPNG", "CJPEG", "CCodecs"],
      // Pixel loops, like kernels, are unusable unoptimised.
      swiftSettings: safe + [.unsafeFlags(["-O"])]),
    .target(name: "HTMLReport", dependencies: ["CLibrary", "TensorCore"], swiftSettings: cold),
    .target(
      name: "Text", dependencies: ["TensorCore", "JSONCoding", "Formats"],
      swiftSettings: strict + testable + opening),
    .target(
      name: "Models", dependencies: ["CLibrary", "TensorCore", "Graph", "Formats"],
      swiftSettings: safe + testable + opening),
    .target(
      name: "Networks",
      dependencies: ["CLibrary", "TensorCore", "Kernels", "Graph", "Formats", "Images", "Text", "Models"],
      swiftSettings: safe + opening),
    .target(
      name: "Apus",
      dependencies: [
        "CLibrary", "TensorCore", "JSONCoding", "Kernels", "Graph", "Formats", "Images", "Text", "Models",
        "Networks", "Statistics",
      ] + kernels,
      swiftSettings: safe + testable + opening),
    kit(
      "ImageClassifierKit",
      ["rice_v1_int8.tflite", "rice_v1_fp16.tflite", "labels.json", "meta.json", "rejection.apus"],
      without: ["rice_v1_float32.tflite", "split.csv", "README.md"]),
    kit(
      "SentimentClassifierKit",
      ["config.json", "meta.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"],
      without: ["vocab.txt", "README.md"], modules: ["CLibrary", "Networks"]),
    .target(name: "Statistics", dependencies: ["CLibrary"], swiftSettings: safe + opening),
    .target(
      name: "Evaluation",
      dependencies: [
        "CLibrary", "Apus", "TensorCore", "JSONCoding", "Kernels", "Graph", "Formats", "Images",
        "Models", "Networks",
        "Statistics", "HTMLReport",
      ],
      swiftSettings: safe + testable),
    .target(
      name: "KernelBenchmarks",
      dependencies: ["TensorCore", "Kernels", "Graph", "Images", "Statistics"],
      swiftSettings: safe),
    .target(
      name: "Quantizer",
      dependencies: [
        "CLibrary", "TensorCore", "JSONCoding", "Kernels", "Graph", "Formats", "Images", "Models",
        "Networks",
        "Statistics",
        "Apus", "Evaluation",
      ],
      // Every weight of a model passes through its loops.
      swiftSettings: safe + testable + [.unsafeFlags(["-O"])]),
    .target(
      name: "ApusQuantizer", dependencies: ["Apus", "Quantizer", "Evaluation", "Statistics"],
      swiftSettings: safe),
    .target(
      name: "ApusEvaluation", dependencies: ["Apus", "Evaluation", "Statistics"],
      swiftSettings: safe),
    .target(
      name: "ApusPhotos",
      dependencies: [
        "CLibrary", "Apus", "HostMemory", "TensorCore", "JSONCoding", "Kernels", "Formats",
        "Images", "Networks",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Photos"])),
      ],
      swiftSettings: safe + testable),
    .target(
      name: "HostMemory", dependencies: ["CLibrary", "TensorCore", "Kernels"], swiftSettings: safe),
    .target(name: "CSeccomp"),
    .target(name: "CAllocator"),
    .target(name: "CProcess"),
    .target(
      name: "ProcessSeal", dependencies: ["CLibrary", "TensorCore", "CSeccomp"],
      swiftSettings: safe + testable + opening),
    .target(
      name: "ApusService",
      dependencies: [
        "CLibrary", "CAllocator", "Apus", "HostMemory", "ProcessSeal", "TensorCore", "JSONCoding",
        "Kernels", "Graph",
        "Formats", "Models", "Networks", "Statistics", "HTMLReport",
      ],
      swiftSettings: safe + testable),
    .target(
      name: "CommandSupport",
      dependencies: [
        "CLibrary", "CProcess", "Apus", "ProcessSeal", "TensorCore", "JSONCoding", "Kernels",
        "Images", "Networks",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: cold),
    .target(
      name: "InferenceCommands",
      dependencies: [
        "CLibrary", "CommandSupport", "Apus", "TensorCore", "JSONCoding", "Kernels", "Graph",
        "Formats", "Images", "Text",
        "Models", "Networks", "Statistics", "HTMLReport", "KernelBenchmarks",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: cold),
    // What `Tools/apus` builds first; packages do without.
    .executableTarget(
      name: "ApusInferenceCommand",
      dependencies: [
        "CommandSupport", "InferenceCommands", "Apus",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: cold,
      linkerSettings: [selfContained]),
    .executableTarget(
      name: "ApusCommand",
      dependencies: [
        "CLibrary", "CBuild", "CommandSupport", "InferenceCommands", "ProcessSeal",
        "Apus", "ApusService", "TensorCore", "Kernels", "Graph", "Formats", "Images", "Statistics",
        "Evaluation",
        "HTMLReport", "Quantizer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: cold,
      linkerSettings: [selfContained]),
    // A program of its own: GRDB, and the whole of Foundation that comes with it, would double `apus` and its build.
    .executableTarget(
      name: "ApusPhotosCommand",
      dependencies: [
        "CLibrary", "CommandSupport", "Apus", "ApusPhotos", "HTMLReport", "TensorCore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: cold,
      linkerSettings: [
        selfContained, .unsafeFlags(["-lCoreFoundation", "-l_FoundationICU", "-lstdc++"]),
      ]),
    .target(
      name: "TestSupport", dependencies: ["CLibrary", "CAllocator", "TensorCore"],
      path: "Tests/TestSupport",
      swiftSettings: safe),
    .target(
      name: "FuzzBodies",
      dependencies: ["TensorCore", "JSONCoding", "Graph", "Formats", "Images", "Text", "Models"]
        + kernels,
      path: "Tests/Fuzz/Bodies", swiftSettings: safe),
    .executableTarget(
      name: "picture-bytes", dependencies: ["CLibrary", "TensorCore", "Images"] + kernels,
      path: "Tests/PictureBytes",
      swiftSettings: cold + [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "photos-scan", dependencies: ["CLibrary", "TensorCore", "Kernels", "ApusPhotos"],
      path: "Benchmarks/photos",
      swiftSettings: safe + [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "service-memory", dependencies: ["CLibrary", "Apus", "ApusService"],
      path: "Benchmarks/service",
      swiftSettings: safe + [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "monitor-record", dependencies: ["CLibrary", "ApusService"], path: "Benchmarks/monitor",
      swiftSettings: safe + [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "embed-times", dependencies: ["CLibrary", "Apus"], path: "Benchmarks/serving",
      exclude: ["peer.py", "embeddings.lua"],
      swiftSettings: safe + [.unsafeFlags(["-parse-as-library"])]),
    testTarget("TensorCoreTests", ["CLibrary", "TensorCore", "TestSupport"]),
    testTarget(
      "KernelsTests", ["CLibrary", "TensorCore", "Kernels", "CIntrinsics", "TestSupport"],
      isOptimised: true),
    testTarget("KernelBenchmarksTests", ["TensorCore", "Kernels", "KernelBenchmarks"]),
    testTarget("GraphTests", ["TensorCore", "Kernels", "Graph", "TestSupport"], isOptimised: true),
    testTarget("JSONCodingTests", ["TensorCore", "JSONCoding", "TestSupport"]),
    testTarget(
      "FormatsTests", ["TensorCore", "JSONCoding", "Formats", "FuzzBodies", "TestSupport"]),
    testTarget("TextTests", ["TensorCore", "JSONCoding", "Formats", "Text", "FuzzBodies", "TestSupport"]),
    testTarget(
      "ImagesTests", ["TensorCore", "Formats", "Images", "FuzzBodies", "TestSupport"],
      isOptimised: true),
    testTarget("HTMLReportTests", ["HTMLReport", "TestSupport"]),
    testTarget(
      "ModelsTests",
      [
        "TensorCore", "JSONCoding", "Kernels", "Graph", "Formats", "Models", "FuzzBodies",
        "TestSupport",
      ]),
    testTarget(
      "NetworksTests",
      [
        "TensorCore", "JSONCoding", "Graph", "Formats", "Images", "Models", "Networks",
        "TestSupport",
      ]),
    testTarget(
      "QuantizerTests",
      [
        "TensorCore", "JSONCoding", "Graph", "Formats", "Images", "Models", "Networks", "Apus",
        "Evaluation",
        "Quantizer", "ApusQuantizer", "TestSupport",
      ]),
    testTarget(
      "ApusTests",
      [
        "CLibrary", "TensorCore", "Graph", "Formats", "Images", "Networks", "Apus",
        "ImageClassifierKit",
        "SentimentClassifierKit", "TestSupport",
      ]),
    testTarget(
      "ApusPhotosTests",
      [
        "CLibrary", "TensorCore", "HostMemory", "JSONCoding", "Kernels", "Formats", "Images",
        "Apus", "ApusPhotos",
        "TestSupport",
      ],
      products: [
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Photos"]))
      ]),
    testTarget(
      "InferenceCommandsTests",
      ["Images", "Networks", "Apus", "CommandSupport", "InferenceCommands", "TestSupport"],
      products: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    testTarget("ProcessSealTests", ["CLibrary", "TensorCore", "CSeccomp", "ProcessSeal"]),
    testTarget(
      "ApusServiceTests",
      [
        "CLibrary", "TensorCore", "Kernels", "Graph", "Formats", "Networks", "Apus", "ApusService",
        "TestSupport",
      ]),
    testTarget(
      "SettingsTests",
      ["Apus", "Evaluation", "Quantizer", "ApusPhotos", "ApusService", "TestSupport"]),
    testTarget("StatisticsTests", ["Statistics", "TestSupport"], isOptimised: true),
    testTarget(
      "EvaluationTests",
      [
        "CLibrary", "TensorCore", "Kernels", "Graph", "Formats", "Images", "Models", "Networks",
        "Apus", "Statistics",
        "Quantizer", "Evaluation", "ApusEvaluation", "TestSupport",
      ]),
  ] + rows.map(\.target) + fuzzTargets,
  swiftLanguageModes: [.v6]
)

// SwiftPM compiles a module anew when one that it declares has changed, but it holds values of all that stand below: so
// each declares these too. `Tools/checks/imports` asks for those that are written above.
if Context.environment["APUS_WRITTEN_DEPENDENCIES"] == nil {
  let written = package.targets.map { ($0.name, Set($0.dependencies.compactMap(\.module))) }
  var below = Dictionary(uniqueKeysWithValues: written)
  var isGrowing = true
  while isGrowing {
    let grown = below.mapValues { names in
      names.reduce(into: names) { $0.formUnion(below[$1] ?? []) }
    }
    isGrowing = grown != below
    below = grown
  }
  for (target, (name, names)) in zip(package.targets, written) {
    target.dependencies += (below[name] ?? []).subtracting(names).sorted().map { .target(name: $0) }
  }
}

extension Target.Dependency {
  /// The target of this package; nil for a product of another.
  var module: String? {
    switch self {
    case .targetItem(let name, _), .byNameItem(let name, _): name
    default: nil
    }
  }
}
