import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { leadsSession } from './own-session.ts'

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
  lowerSession()
}

/**
 * Lowers the session of this process, where it is alone in it with what it starts. Linux shares a processor between sessions
 * first and asks for priorities within each (sched(7), "The autogroup feature").
 */
function lowerSession(): void {
  try {
    if (leadsSession()) writeFileSync('/proc/self/autogroup', String(lowPriority))
  } catch {
    // The system shares a processor between processes alone.
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
