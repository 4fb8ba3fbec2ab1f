#pragma once
// What the program of the kernels' vectors needs of the C library.
#include <unistd.h>
