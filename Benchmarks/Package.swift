// swift-tools-version: 6.3
import PackageDescription

/// A package of its own, so that neither the library nor its tests need the benchmark package.
let package = Package(
  name: "ApusBenchmarks",
  dependencies: [
    .package(name: "Apus", path: ".."),
    // Without its traits: they replace malloc and parts of the runtime, which changes what is measured.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "ApusBenchmarks",
      dependencies: [
        .product(name: "Apus", package: "Apus"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Apus",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ],
  swiftLanguageModes: [.v6]
)
