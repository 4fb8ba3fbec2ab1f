// swift-tools-version: 6.3
import PackageDescription

let safe: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// For tests, which are compiled sooner.
let unoptimised: [SwiftSetting] = safe + [.unsafeFlags(["-Onone"])]

/// `Tools/package` puts archives of the libraries there that programs elsewhere may lack.
let packaged = [
  "-L\(Context.packageDirectory)/../.build/package/libraries", "-Xclang-linker", "-static-libgcc",
  "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
]

/// With Swift's libraries inside, a program starts in half the time, and where there is no toolchain. It exports no symbols,
/// as the programs of Apus.
let selfContained: LinkerSetting = .unsafeFlags(
  [
    "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-static-stdlib", "-l_FoundationCShims",
    "-l_FoundationCollections", "-lCoreFoundation", "-l_FoundationICU", "-lstdc++",
  ]
    + (Context.environment["APUS_PACKAGE"] == nil ? [] : packaged))

/// The packages of gRPC take minutes to compile, so that only `.ci/run` and who asks for them has these.
let testsOfGRPC: [Target] =
  (Context.environment["APUS_GRPC_TESTS"] ?? "").isEmpty
  ? []
  : [
    .testTarget(
      name: "OpenInferenceGRPCTests",
      dependencies: [
        "OpenInferenceGRPC", "OpenInference", "ApusServing", "ServingTestSupport",
        .product(name: "Apus", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
        .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      swiftSettings: unoptimised)
  ]

/// A package of its own: whoever builds `apus`, or a program with the library, needs nothing of what a server needs, and
/// `apus` has no code for networks.
let package = Package(
  name: "ApusServer",
  products: [
    .executable(name: "apus-serve", targets: ["ApusServeCommand"]),
    // The same with gRPC, whose packages take minutes to compile.
    .executable(name: "apus-serve-grpc", targets: ["ApusServeGRPCCommand"]),
  ],
  dependencies: [
    .package(name: "Apus", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.0"),
    .package(url: "https://github.com/grpc/grpc-swift-protobuf", from: "2.4.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .target(
      name: "ApusServing",
      dependencies: [
        .product(name: "Apus", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"), .product(name: "ApusService", package: "Apus"),
      ],
      swiftSettings: safe + [.unsafeFlags(["-enable-testing"])]),
    .target(
      name: "InferenceProtocol",
      dependencies: [
        .product(name: "Apus", package: "Apus"), .product(name: "JSONCoding", package: "Apus"),
      ],
      swiftSettings: safe + [.unsafeFlags(["-enable-testing"])]),
    .target(
      name: "OpenInference",
      dependencies: [
        "ApusServing", "InferenceProtocol",
        .product(name: "Apus", package: "Apus"), .product(name: "ApusService", package: "Apus"),
      ],
      swiftSettings: safe + [.unsafeFlags(["-enable-testing"])]),
    .target(
      name: "OpenInferenceGRPC",
      dependencies: [
        "OpenInference", "ApusServing", "InferenceProtocol",
        .product(name: "Apus", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
        .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
      ],
      exclude: ["Generated/open_inference.proto", "Generated/generate"],
      swiftSettings: safe + [.unsafeFlags(["-enable-testing"])]),
    .target(name: "CPage"),
    .target(name: "CStreams"),
    .target(name: "CInflate", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "ApusServer",
      dependencies: [
        "ApusServing", "InferenceProtocol", "OpenInference", "CPage", "CInflate", "CStreams",
        .product(name: "Apus", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"),
        .product(name: "JSONCoding", package: "Apus"),
        .product(name: "ApusService", package: "Apus"),
        .product(name: "ApusPhotos", package: "Apus"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: safe + [.unsafeFlags(["-enable-testing"])]),
    .target(
      name: "ServeArguments",
      dependencies: [
        "ApusServing", "ApusServer",
        .product(name: "Apus", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"),
        .product(name: "CProcess", package: "Apus"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: safe + [.unsafeFlags(["-enable-testing"])]),
    .executableTarget(
      name: "ApusServeCommand",
      dependencies: [
        "ServeArguments", .product(name: "Apus", package: "Apus"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/apus-serve",
      swiftSettings: safe,
      linkerSettings: [selfContained]),
    .executableTarget(
      name: "ApusServeGRPCCommand",
      dependencies: [
        "ServeArguments", "ApusServer", "ApusServing", "OpenInference", "OpenInferenceGRPC",
        .product(name: "Apus", package: "Apus"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/apus-serve-grpc",
      swiftSettings: safe,
      linkerSettings: [selfContained]),
    // What several of the targets of tests need.
    .target(
      name: "ServingTestSupport", dependencies: ["ApusServing"], path: "Tests/ServingTestSupport",
      swiftSettings: unoptimised),
    .testTarget(
      name: "InferenceProtocolTests",
      dependencies: ["InferenceProtocol", .product(name: "Apus", package: "Apus")],
      swiftSettings: unoptimised),
    .testTarget(
      name: "OpenInferenceTests",
      dependencies: [
        "OpenInference", "ApusServing", "InferenceProtocol", "ServingTestSupport",
        .product(name: "Apus", package: "Apus"),
      ],
      swiftSettings: unoptimised),
    .testTarget(
      name: "ApusServingTests",
      dependencies: [
        "ApusServing", "ServingTestSupport", .product(name: "Apus", package: "Apus"),
        .product(name: "ApusService", package: "Apus"),
      ],
      swiftSettings: unoptimised),
    .testTarget(
      name: "ApusServerTests",
      dependencies: [
        "ApusServing", "InferenceProtocol", "ApusServer", "ServingTestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Apus", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"),
        .product(name: "ApusPhotos", package: "Apus"),
        .product(name: "ApusService", package: "Apus"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: unoptimised),
    .testTarget(
      name: "ServeArgumentsTests",
      dependencies: [
        "ServeArguments", "ApusServer", "ApusServing", "ServingTestSupport",
        .product(name: "Apus", package: "Apus"),
        .product(name: "CLibrary", package: "Apus"),
      ],
      swiftSettings: unoptimised),
  ] + testsOfGRPC,
  swiftLanguageModes: [.v6]
)
