/// What a server does with its standard streams and signals that Swift has no words for.
#pragma once

#include <stdbool.h>

/// Whether the process was started with a signal ignored, as nohup does with SIGHUP.
bool apus_is_ignored(int signal);

/// From now on a signal that ends the process for a fault of its own has what still stands in `from` copied to `to` first:
/// it says what the fault is. `from` is a pipe that is set not to wait.
void apus_copy_on_fault(int from, int to);
