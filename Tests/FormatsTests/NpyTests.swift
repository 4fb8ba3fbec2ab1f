import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Arrays that NumPy wrote arrive element by element, and what is written reads back the same.
struct NpyTests {
  private func elements<T: TensorElement>(_ base64: String, _: T.Type = T.self) throws -> [T] {
    let tensor = try Npy.tensor(try fixture(base64))
    #expect(tensor.shape.dimensions == [2, 3])
    #expect(try Npy.bytes(tensor) == fixture(base64))
    return try tensor.elements()
  }

  @Test func everyType() throws {
    #expect(try elements(FormatFixtures.npy_f4) == [0, 1, 2, 3, 4, 5] as [Float])
    #expect(try elements(FormatFixtures.npy_f8) == [0, 1, 2, 3, 4, 5] as [Double])
    #expect(try elements(FormatFixtures.npy_i1) == [0, 1, 2, 3, 4, 5] as [Int8])
    #expect(try elements(FormatFixtures.npy_i2) == [0, 1, 2, 3, 4, 5] as [Int16])
    #expect(try elements(FormatFixtures.npy_i4) == [0, 1, 2, 3, 4, 5] as [Int32])
    #expect(try elements(FormatFixtures.npy_i8) == [0, 1, 2, 3, 4, 5] as [Int64])
    #expect(try elements(FormatFixtures.npy_u1) == [0, 1, 2, 3, 4, 5] as [UInt8])
    #expect(try elements(FormatFixtures.npy_u2) == [0, 1, 2, 3, 4, 5] as [UInt16])
    #expect(try elements(FormatFixtures.npy_u4) == [0, 1, 2, 3, 4, 5] as [UInt32])
    #expect(try elements(FormatFixtures.npy_u8) == [0, 1, 2, 3, 4, 5] as [UInt64])
    let half = try Npy.tensor(try fixture(FormatFixtures.npy_f2))
    #expect(half.dataType == .float16)
    #expect(half.withBytes { Array($0) } == [0, 0, 0, 0x3C, 0, 0x40, 0, 0x42, 0, 0x44, 0, 0x45])
    #expect(try Npy.tensor(try fixture(FormatFixtures.npy_bool)).elements() == [true, false, true])
  }

  @Test func scalarsAndEmptyArrays() throws {
    let scalar = try Npy.tensor(try fixture(FormatFixtures.npy_scalar))
    #expect(scalar.shape == .scalar)
    #expect(try scalar.elements() == [1.5] as [Float])
    #expect(try Npy.tensor(try fixture(FormatFixtures.npy_empty)).shape.dimensions == [2, 0, 3])
  }

  @Test func fortranOrderIsReordered() throws {
    let tensor = try Npy.tensor(try fixture(FormatFixtures.npy_fortran))
    #expect(tensor.shape.dimensions == [2, 3, 4])
    #expect(try tensor.elements() == (0..<24).map { Int32($0) })
  }

  @Test func laterVersions() throws {
    for base64 in [FormatFixtures.npy_version2, FormatFixtures.npy_version3] {
      #expect(try Npy.tensor(try fixture(base64)).elements() == [0, 1, 2, 3, 4, 5] as [Float])
    }
  }

  @Test func otherBytesThanZeroAndOneAreTrue() throws {
    var bytes = try fixture(FormatFixtures.npy_bool)
    bytes[bytes.count - 1] = 77
    #expect(try Npy.tensor(bytes).withBytes { Array($0) } == [1, 0, 1])
  }

  private func refusal(_ bytes: [UInt8]) -> String {
    do throws(ApusError) {
      _ = try Npy.tensor(bytes)
      return ""
    } catch {
      return error.kind == .argument ? error.description : "kind \(error.kind)"
    }
  }

  /// A file of version 1 with a header and so many bytes of data.
  private func file(_ header: String, data: Int = 0) -> [UInt8] {
    let text = Array(header.utf8)
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.count & 255), UInt8(text.count >> 8)] + text
      + [UInt8](repeating: 0, count: data)
  }

  @Test func malformedFiles() throws {
    #expect(refusal([]).contains("not an .npy file"))
    #expect(refusal(Array("PK\u{3}\u{4} and so on".utf8)).contains("not an .npy file"))
    #expect(
      refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", data: 7)).contains(
        "7 bytes of data, expected 8"))
    #expect(
      refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", data: 9)).contains(
        "9 bytes of data, expected 8"))
    #expect(
      refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }")).contains(
        "negative dimension"))
    #expect(
      refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }"))
        .contains("more elements than memory can hold"))
    #expect(
      refusal(file("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"))
        .contains("expected a number"))
    #expect(refusal(file("{'descr': '<f4', 'shape': (2,), }")).contains("a key is missing"))
    #expect(refusal(file("{'descr': '<f4', 'descr': '<f4'}")).contains("the key 'descr', expected"))
    #expect(
      refusal(file("{'descr': '<f4', 'fortran_order': 1, 'shape': (), }")).contains("expected True or False"))
    #expect(
      refusal(file("{'descr': '<c8', 'fortran_order': False, 'shape': (), }")).contains(
        "elements of type '<c8'"))
    #expect(refusal(file("{")).contains("the header ends"))
    var long = file("{}")
    long[9] = 0xFF
    #expect(refusal(long).contains("a header of 65282 bytes, expected at most the 2 that follow"))
    #expect(refusal(try fixture(FormatFixtures.npy_bigEndian)).contains("a.astype('<f4')"))
    #expect(refusal(try fixture(FormatFixtures.npy_records)).contains("arrays of records are not read"))
    #expect(refusal(try fixture(FormatFixtures.npy_text)).contains("elements of type '<U2'"))
    var version = try fixture(FormatFixtures.npy_f4)
    version[6] = 4
    #expect(refusal(version).contains("version 4 of the format, expected 1, 2 or 3"))
  }

  @Test func everyByteFlipped() throws {
    let bytes = try fixture(FormatFixtures.npy_fortran)
    for position in bytes.indices {
      for value in [0, 0x20, 0x28, 0x39, 0x7D, 0xFF, bytes[position] ^ 1] {
        var damaged = bytes
        damaged[position] = value
        if let tensor = try? Npy.tensor(damaged) { #expect(tensor.type.byteCount <= bytes.count) }
      }
    }
  }
}
