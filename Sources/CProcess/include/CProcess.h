#ifndef APUS_PROCESS_H
#define APUS_PROCESS_H

// What the process was started with, as the C library has it: Swift's runtime reads /proc/self/cmdline, and takes the
// process for one without arguments where that is not mounted.

/// The number of arguments, the program's name among them.
int apus_argument_count(void);

/// An argument, which ends with a zero and stays where it is; NULL behind the last.
const char *_Nullable apus_argument(int index);

/// Whether the user's limit of threads could refuse so many more: it counts those of the user, who has no more than the
/// whole system.
int apus_may_lack_threads(int count);

/// Starts threads that end again once all are there, and returns how many the system granted.
int apus_start_trial_threads(int count);

/// Opens a descriptor that can be read once signals have come; -1 where none can be had.
int apus_open_signal_bell(void);

/// Has a signal be noted and told by the descriptor, in place of what it does by itself; -1 for one that cannot be.
int apus_ring_on_signal(int number);

/// The signal that came last of those; 0 before one does.
int apus_last_signal(void);

#endif
