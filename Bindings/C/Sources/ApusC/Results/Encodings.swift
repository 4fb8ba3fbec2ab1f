import Apus
import CApus

extension [Encoding] {
  /// All encodings as one block.
  func block() throws(ApusError) -> UnsafeMutablePointer<apus_encodings> {
    var block = Block()
    let head = try block.reserve(apus_encodings.self)
    let items = try block.reserve(apus_encoding.self, count: count)
    block.write { base in
      let head = base.address(head, of: apus_encodings.self)
      head.pointee.size = Int64(MemoryLayout<apus_encodings>.stride)
      head.pointee.items = UnsafePointer(base.address(items, of: apus_encoding.self))
      head.pointee.count = Int64(self.count)
    }
    for (index, encoding) in enumerated() {
      let ids = try block.add(encoding.ids)
      let mask = try block.add(encoding.attentionMask)
      let types = try block.add(encoding.tokenTypes)
      let special = try block.add(encoding.specialTokensMask)
      let ends = encoding.offsets?.flatMap { [Int64($0.lowerBound), Int64($0.upperBound)] }
      let offsets = try ends.map { (ends) throws(ApusError) in try block.add(ends) }
      block.write { base in
        func numbers<Number>(_ place: Int) -> UnsafePointer<Number> { UnsafePointer(base.address(place)) }
        let item = base.address(items, of: apus_encoding.self) + index
        item.pointee.size = Int64(MemoryLayout<apus_encoding>.stride)
        item.pointee.count = Int64(encoding.ids.count)
        item.pointee.ids = numbers(ids)
        item.pointee.attention_mask = numbers(mask)
        item.pointee.token_types = numbers(types)
        item.pointee.special_tokens_mask = numbers(special)
        item.pointee.offsets = offsets.map { numbers($0) }
        item.pointee.was_truncated = encoding.wasTruncated ? 1 : 0
      }
    }
    return try block.make().address(head)
  }
}
