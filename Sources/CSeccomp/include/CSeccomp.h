#ifndef APUS_CSECCOMP_H
#define APUS_CSECCOMP_H
#endif
