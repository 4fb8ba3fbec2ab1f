import Foundation
import Models
import Networks
import TensorCore
import TestSupport
import Testing

/// What a `.tflite` file says of itself is read when it is asked for, and verified then: the file may have changed.
struct ChangedMetadataTests {
  @Test func everyByteOfAnOpenFile() throws {
    let labels = ["red", "green", "blue"]
    let bytes = try PictureModel.labelled(side: 4, size: (8, 6), labels: labels)
    let folder = try TemporaryFolder()
    let path = try folder.write("model.tflite", bytes)
    let opened = try OpenedModel(path)
    let descriptor = open(path, O_WRONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var (read, refused) = (0, 0)
    for position in bytes.indices {
      for value in [0, 0x7F, 0x80, 0xFF, bytes[position] &+ 4] {
        try #require(pwrite(descriptor, [value], 1, position) == 1)
        do throws(ApusError) {
          _ = try opened.form.labels(ofOutput: 0)
          _ = try opened.form.scoreCalibration(ofOutput: 0)
          _ = try opened.form.outputNames()
          _ = try opened.networks[0].inputs()
          _ = try opened.networks[0].graph()
          read += 1
        } catch {
          refused += 1
        }
      }
      try #require(pwrite(descriptor, [bytes[position]], 1, position) == 1)
    }
    #expect(read > 0 && refused > 0)
    #expect(try opened.form.labels(ofOutput: 0)?.labels == labels)
    #expect(try opened.networks[0].inputs()[0].shape.dimensions == [1, 8, 6, 3])
  }
}
