import { constants, getPriority, setPriority } from 'node:os'

/**
 * Adds to the `nice` value of this thread, and so to that of the threads and processes that it starts: requests come first.
 * Linux alone gives threads priorities of their own; elsewhere it would be the whole process's.
 */
export function addNiceness(niceness: number): void {
  if (process.platform === 'linux') setPriority(nicer(getPriority(), niceness))
}

/** Adds to the `nice` value of a process that was started right now, and so to that of its threads. */
export function addNicenessOf(pid: number, niceness: number): void {
  setPriority(pid, nicer(getPriority(pid), niceness))
}

/** The system takes no more. */
const nicer = (priority: number, niceness: number): number =>
  Math.min(priority + niceness, constants.priority.PRIORITY_LOW)
