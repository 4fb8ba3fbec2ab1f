import FuzzBodies
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// What a file says is what is read, and what breaks the format is refused where it stands.
struct ONNXModelTests {
  private static var sum: ONNXBuilder {
    var builder = ONNXBuilder(version: 17)
    builder.node(
      "Concat", ["x", "", "w"], ["y"], name: "joins", attributes: [ONNXBuilder.attribute("axis", -1)])
    builder.floats("w", [2, 1], [0.5, -2])
    builder.input("x", [nil, 3])
    builder.output("y", [nil, 4])
    return builder
  }

  private func read(_ bytes: [UInt8]) throws(ApusError) -> ONNXModel { try ONNXModel(StoredBytes(bytes)) }

  private func error(_ bytes: [UInt8]) -> ApusError? {
    do {
      _ = try read(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func partsAreRead() throws {
    var builder = Self.sum
    var pair = ProtobufBytes()
    pair.add(1, "license")
    pair.add(2, "none")
    builder.others.add(14, pair)
    let model = try read(builder.build())
    #expect(model.formatVersion == 9)
    #expect(model.producer == "Apus's tests")
    #expect(model.operatorVersions == ["": 17])
    #expect(model.metadata.map(\.key) == ["license"] && model.metadata.map(\.value) == ["none"])
    let node = try #require(model.graph.nodes.first)
    #expect(node.type == "Concat" && node.inputs == ["x", "", "w"] && node.outputs == ["y"])
    #expect(node.label == "node 0 'joins' (Concat)")
    guard case .int(-1) = node.attribute("axis") else {
      Issue.record("the axis is \(String(describing: node.attribute("axis")))")
      return
    }
    #expect(model.graph.inputs[0].dimensions == [.free("free"), .fixed(3)])
    #expect(model.graph.inputs[0].elementType == .float)
    let tensor = model.graph.initializers[0]
    #expect(tensor.name == "w" && tensor.elementType == .float && tensor.shape.dimensions == [2, 1])
    guard case .stored(let range) = tensor.content else {
      Issue.record("elements are not where they were")
      return
    }
    #expect(Array(model.bytes[range]) == [0, 0, 0, 0x3F, 0, 0, 0, 0xC0])
  }

  /// Elements in each of the fields for numbers, packed and one by one.
  @Test(arguments: [
    (1, 4, 4), (6, 5, 4), (9, 5, 1), (10, 5, 2), (7, 7, 8), (13, 11, 8), (12, 11, 4), (3, 5, 1),
  ])
  func listedElements(_ type: Int, _ field: Int, _ size: Int) throws {
    for isPacked in [true, false] {
      var tensor = ONNXBuilder.tensor("w", type: type, [2])
      if field == 4 {
        if isPacked {
          tensor.add(4, [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40])
        } else {
          tensor.add(4, Float(1))
          tensor.add(4, Float(2))
        }
      } else if isPacked {
        tensor.add(field, [1, 2])
      } else {
        tensor.add(field, 1)
        tensor.add(field, 2)
      }
      var builder = Self.sum
      builder.graph.add(5, tensor)
      let read = try #require(try read(builder.build()).graph.initializers.last)
      guard case .listed(let bytes) = read.content else {
        Issue.record("elements of type \(type) are not listed")
        continue
      }
      let expected: [UInt8] =
        field == 4
        ? [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40]
        : [1] + [UInt8](repeating: 0, count: size - 1) + [2] + [UInt8](repeating: 0, count: size - 1)
      #expect(bytes == expected)
    }
  }

  @Test func elementsFitTheirShape() throws {
    var builder = Self.sum
    var tensor = ONNXBuilder.tensor("short", type: 1, [3])
    tensor.add(9, [UInt8](repeating: 0, count: 8))
    builder.graph.add(5, tensor)
    #expect(error(builder.build())?.problem == "8 bytes of elements")
    #expect(error(builder.build())?.location == "tensor 'short'")

    builder = Self.sum
    builder.graph.add(5, ONNXBuilder.tensor("huge", type: 1, [1 << 31, 1 << 31, 4]))
    #expect(error(builder.build())?.kind == .malformedModel)

    builder = Self.sum
    builder.graph.add(5, ONNXBuilder.tensor("negative", type: 1, [-1]))
    #expect(error(builder.build())?.kind == .malformedModel)

    builder = Self.sum
    var twice = ONNXBuilder.tensor("twice", type: 1, [1])
    twice.add(9, [UInt8](repeating: 0, count: 4))
    twice.add(4, Float(1))
    builder.graph.add(5, twice)
    #expect(error(builder.build())?.kind == .malformedModel)
  }

  /// 2 GiB that a file of a hundred bytes asks for are refused before there is memory for them.
  @Test func aHugeTensorNeedsItsBytes() {
    var builder = Self.sum
    builder.graph.add(5, ONNXBuilder.tensor("huge", type: 1, [1 << 29]))
    #expect(error(builder.build())?.problem == "0 bytes of elements")
  }

  @Test(arguments: ["../weights", "a/../../weights", "/etc/passwd", "a//b", "", "a/..", "a\0b"])
  func filesOutsideOfTheFolderAreRefused(_ location: String) {
    var entry = ProtobufBytes()
    entry.add(1, "location")
    entry.add(2, location)
    var tensor = ONNXBuilder.tensor("w2", type: 1, [1])
    tensor.add(13, entry)
    tensor.add(14, 1)
    var builder = Self.sum
    builder.graph.add(5, tensor)
    #expect(error(builder.build())?.kind == .malformedModel)
  }

  @Test func elementsInAFileBeside() throws {
    var tensor = ONNXBuilder.tensor("w2", type: 1, [4])
    for (key, value) in [
      ("location", "weights/a.data"), ("offset", "4096"), ("length", "16"), ("checksum", "x"),
    ] {
      var entry = ProtobufBytes()
      entry.add(1, key)
      entry.add(2, value)
      tensor.add(13, entry)
    }
    tensor.add(14, 1)
    var builder = Self.sum
    builder.graph.add(5, tensor)
    let read = try #require(try read(builder.build()).graph.initializers.last)
    guard case .external(let place) = read.content else {
      Issue.record("elements are not in a file")
      return
    }
    #expect(place.location == "weights/a.data")
    #expect(try place.range(in: 5000) == 4096..<4112)
    #expect(throws: ApusError.self) { try place.range(in: 4111) }
  }

  @Test func graphsInsideGraphsAreBounded() {
    var graph = ProtobufBytes()
    for _ in 0..<40 {
      var outer = ProtobufBytes()
      outer.add(
        1,
        ONNXBuilder.node("If", ["c"], ["y"], attributes: [ONNXBuilder.attribute("then_branch", graph: graph)])
      )
      graph = outer
    }
    var builder = ONNXBuilder()
    builder.graph = graph
    #expect(error(builder.build())?.problem.contains("graphs inside graphs") == true)
  }

  @Test func whatIsNoModelIsRefused() {
    #expect(error([])?.problem == "no graph")
    #expect(error([0x08, 0x07, 0x3A, 0x7F])?.kind == .malformedModel)
    // A number of more than 64 bits.
    #expect(error([0x08] + [UInt8](repeating: 0xFF, count: 10))?.kind == .malformedModel)
    var twice = Self.sum
    twice.others.add(7, ProtobufBytes())
    #expect(error(twice.build())?.problem == "a second graph")
    var builder = Self.sum
    builder.version = 0
    #expect(error(builder.build())?.problem == "version 0 of operators")
  }

  @Test func everyTruncationAndEveryDamagedByte() {
    let bytes = Self.sum.build()
    for count in bytes.indices { Fuzzing.onnx(Array(bytes[..<count])) }
    for position in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF, bytes[position] ^ 1, bytes[position] &+ 4] {
        var damaged = bytes
        damaged[position] = value
        Fuzzing.onnx(damaged)
      }
    }
    #expect(Fuzzing.onnx(bytes) == nil)
  }
}
