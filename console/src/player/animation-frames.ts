/** The browser's clock and frames. */
export interface Frames {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly request: (step: () => void) => number
  readonly cancel: (handle: number) => void
}

/** Those of the window. */
export const browserFrames: Frames = {
  now: () => performance.now(),
  request: (step) => requestAnimationFrame(step),
  cancel: (handle) => cancelAnimationFrame(handle),
}
