import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Requests of the instance come first (`nice`); on a machine that is always busy a backup ends nonetheless. */
const lowPriority = 10

/**
 * Lowers the priority of this process, and of what it starts. Linux has a priority for each thread: those that read, write and
 * collect garbage were begun with the process, and keep theirs otherwise.
 */
export function lowerPriority(): void {
  setPriority(lowPriority)
  for (const thread of threads()) {
    try {
      setPriority(thread, lowPriority)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The ids of the threads of this process; none where the system does not tell them. */
function threads(): readonly number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return []
  }
}
