#ifndef APUS_CCODECS_H
#define APUS_CCODECS_H

// Picture libraries of the system, each called through the handle that `dlopen` gave for it. Their functions and
// structures are declared anew in the sources, as far as their stable ABI goes: nothing is linked, and none of their
// headers is needed.

#include "AVIF.h"
#include "CodecStatus.h"
#include "GIF.h"
#include "HEIF.h"
#include "TIFF.h"
#include "WebP.h"

#endif
