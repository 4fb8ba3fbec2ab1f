import Foundation
import Models
import Networks
import TensorCore
import TestSupport
import Testing

/// What a `.tflite` file says of itself is read when it is asked for, and verified then: the file may have changed.
struct ChangedMetadataTests {
  @Test func randomChangesOfAnOpenFile() throws {
    let bytes = try FileBytes.read(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path)
    let folder = try TemporaryFolder()
    let path = try folder.write("model.tflite", bytes)
    let opened = try OpenedModel(path)
    var random = SeededRandom(seed: UInt64.random(in: .min ... .max))
    print("seed of the changes: \(random.seed)")
    let descriptor = open(path, O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    // Tables and metadata are at both ends, labels at the last.
    let places = Array(0..<(20 << 10)) + Array((bytes.count - (20 << 10))..<bytes.count)
    var (read, refused) = (0, 0)
    for _ in 0..<3000 {
      let position = places[Int.random(in: places.indices, using: &random)]
      try #require(pwrite(descriptor, [UInt8.random(in: 0...255, using: &random)], 1, position) == 1)
      do throws(ApusError) {
        _ = try opened.form.labels(ofOutput: 0)
        _ = try opened.form.scoreCalibration(ofOutput: 0)
        _ = try opened.form.outputNames()
        _ = try opened.networks[0].inputs()
        read += 1
      } catch {
        refused += 1
      }
      try #require(pwrite(descriptor, [bytes[position]], 1, position) == 1)
    }
    #expect(read > 0 && refused > 0)
    #expect(try opened.networks[0].outputs().count == 1)
  }
}
