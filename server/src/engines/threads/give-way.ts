/** As long as a thread may keep a processor to itself between two moments. */
const workMs = 0.5
/** The shortest sleep that there is: Linux makes some 60 µs of it. */
const sleepMs = 0.01

/** It is waited for until the time is over. */
const cell = new Int32Array(new SharedArrayBuffer(4))
let sleptAtMs = 0

/**
 * Sleeps for a moment where half a millisecond has passed since the last one; to be called again and again in long work of a
 * process that comes after others. Linux looks at priorities when a thread sleeps, or at its next tick, which may be 4 ms away:
 * a more important one that wakes meanwhile waits for so long. Work that sleeps in between hands over at once.
 */
export function giveWay(): void {
  if (performance.now() - sleptAtMs < workMs) return
  Atomics.wait(cell, 0, 0, sleepMs)
  sleptAtMs = performance.now()
}
