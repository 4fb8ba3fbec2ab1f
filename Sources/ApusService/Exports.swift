// What a program that keeps several models speaks of: models, errors, precision; its memory; and the seal of its process.
@_exported import Apus
@_exported import HostMemory
@_exported import ProcessSeal
