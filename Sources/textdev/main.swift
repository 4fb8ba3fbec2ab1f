import Foundation
import Text
let args = CommandLine.arguments
let clock = ContinuousClock()
let t0 = clock.now
let tok: Tokenizer
do { tok = try Tokenizer(contentsOf: args[1]) } catch { print("ERROR \(error)"); exit(1) }
let load = clock.now - t0
if args.count > 2, args[2] == "time" {
  let data = [UInt8](try! Data(contentsOf: URL(fileURLWithPath: args[3])))
  let lines = data.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  var best = Duration.seconds(1000), n = 0
  for _ in 0..<5 {
    n = 0
    let t = clock.now
    for l in lines { n += tok.encode(l).ids.count }
    best = min(best, clock.now - t)
  }
  let s = Double(best.components.attoseconds) * 1e-18 + Double(best.components.seconds)
  print("load \(load) tokens \(n) \(Double(n) / s / 1e6) M/s  \(Double(data.count) / s / 1e6) MB/s")
  let t = clock.now
  let big = tok.encode(utf8: data).ids.count
  print("whole: \(big) in \(clock.now - t)")
} else if args.count > 2, args[2] == "whole" {
  let data = [UInt8](try! Data(contentsOf: URL(fileURLWithPath: args[3])))
  let t = clock.now
  let big = tok.encode(utf8: data).ids.count
  print("load \(load) whole: \(big) in \(clock.now - t)")
} else {
  let special = !(args.count > 2 && args[2] == "nospecial")
  var out = ""
  while let line = readLine(strippingNewline: true) {
    let text = try! JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed) as! String
    let e = tok.encode(text, addingSpecialTokens: special)
    out += "{\"ids\":\(e.ids),\"d\":\(String(decoding: try! JSONSerialization.data(withJSONObject: tok.decode(e.ids, skippingSpecialTokens: false), options: .fragmentsAllowed), as: UTF8.self))}\n"
    if out.utf8.count > 1 << 16 { FileHandle.standardOutput.write(Data(out.utf8)); out = "" }
  }
  FileHandle.standardOutput.write(Data(out.utf8))
}
