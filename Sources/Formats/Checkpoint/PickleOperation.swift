/// The operations of Python's pickles that tensors and what holds them are written with, of protocols 2 to 5.
///
/// Those that would make objects of any other class, or call anything, are not among them.
/// Format: https://docs.python.org/3/library/pickletools.html
enum PickleOperation: UInt8 {
  case proto = 0x80, frame = 0x95, stop = 0x2E
  case mark = 0x28, pop = 0x30, popMark = 0x31, duplicate = 0x32
  case none = 0x4E, newTrue = 0x88, newFalse = 0x89
  case integer1 = 0x4B, integer2 = 0x4D, integer4 = 0x4A, long1 = 0x8A, long4 = 0x8B, real = 0x47
  case text1 = 0x8C, text4 = 0x58, text8 = 0x8D
  case string1 = 0x55, string4 = 0x54, bytes1 = 0x43, bytes4 = 0x42, bytes8 = 0x8E
  case emptyTuple = 0x29, tuple1 = 0x85, tuple2 = 0x86, tuple3 = 0x87, tuple = 0x74
  case emptyList = 0x5D, append = 0x61, appends = 0x65
  case emptyDictionary = 0x7D, setItem = 0x73, setItems = 0x75
  case get1 = 0x68, get4 = 0x6A, put1 = 0x71, put4 = 0x72, memoize = 0x94
  case global = 0x63, stackGlobal = 0x93, reduce = 0x52, newObject = 0x81, build = 0x62
  case persistentID = 0x51
}
