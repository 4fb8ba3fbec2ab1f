#ifndef APUS_CBUILD_H
#define APUS_CBUILD_H

/// The commit that a package was made of; empty for a program that somebody built for themselves.
const char *apus_build_commit(void);

#endif
