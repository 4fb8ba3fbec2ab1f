// swift-tools-version: 6.3
import PackageDescription

let safe: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// For the module whose tests look inside, so that it is compiled once, for the library and for its tests.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"])]

/// `Tools/package` puts archives of the libraries there that programs elsewhere may lack. Relocations are not packed, as those
/// of programs are: the C library reads packed ones from 2.36 on, and a wheel is for 2.34.
let packaged = [
  "-L\(Context.packageDirectory)/../../.build/package/shared-libraries", "-Xclang-linker", "-static-libgcc",
]

/// A library with Swift's own inside, which shows the interface and nothing else, so that another version of Swift, or of
/// Apus, may be in the same process. It stays loaded: its threads may be in it.
let selfContained: LinkerSetting = .unsafeFlags(
  [
    "-use-ld=lld", "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-lstdc++",
    "-Xlinker", "--version-script=\(Context.packageDirectory)/libapus.map",
    "-Xlinker", "-soname=libapus.so.1", "-Xlinker", "-z", "-Xlinker", "nodelete",
    "-Xlinker", "-Bsymbolic",
    "-Xlinker", "--no-eh-frame-hdr", "-Xlinker", "-T\(Context.packageDirectory)/unwinding.ld",
  ]
    + (Context.environment["APUS_PACKAGE"] == nil ? [] : packaged))

/// The interface for C, and for every language that can call C: `include/apus.h`. A package of its own: whoever builds `apus`,
/// or a program with the library, needs nothing of it.
let package = Package(
  name: "ApusBindings",
  products: [
    // `Tools/build libapus` makes libapus.so of it: no product may be called as one of Apus is.
    .library(name: "apus-c", type: .dynamic, targets: ["ApusShared"])
  ],
  dependencies: [.package(name: "Apus", path: "../..")],
  targets: [
    // The header, and what Swift lacks to implement it.
    .target(name: "CApus"),
    .target(
      name: "ApusC",
      dependencies: [
        "CApus", .product(name: "Apus", package: "Apus"), .product(name: "ApusService", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"), .product(name: "JSONCoding", package: "Apus"),
      ],
      swiftSettings: safe + testable),
    .target(
      name: "ApusShared", dependencies: ["ApusC"], swiftSettings: safe, linkerSettings: [selfContained]),
    .testTarget(
      name: "ApusCTests", dependencies: ["CApus", "ApusC", .product(name: "CLibrary", package: "Apus")],
      swiftSettings: safe + [.unsafeFlags(["-Onone"])]),
  ],
  swiftLanguageModes: [.v6]
)
