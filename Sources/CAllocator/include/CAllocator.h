#ifndef APUS_ALLOCATOR_H
#define APUS_ALLOCATOR_H

// Gives back to the system what the allocator keeps of freed memory. Allocators that cannot be asked keep it.
void apus_release_freed_memory(void);

#endif
