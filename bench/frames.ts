import type { Page } from 'playwright-core'

/** A frame of 60 a second that came in time, with what a timer's grain adds. */
const inTimeMs = 17.5

/** Runs in the page: the time of each frame from now on. */
const observe = `{
  const drawn = []
  globalThis.framesDrawn = drawn
  const see = (now) => {
    // Another measurement may have begun before the last one's next frame.
    if (globalThis.framesDrawn !== drawn) return
    drawn.push(now)
    requestAnimationFrame(see)
  }
  requestAnimationFrame(see)
}`

const collect = `(() => {
  const drawn = globalThis.framesDrawn
  globalThis.framesDrawn = null
  return drawn
})()`

/** The milliseconds between frames while something is done. */
export async function frames(page: Page, act: () => Promise<unknown>): Promise<readonly number[]> {
  await page.evaluate(observe)
  await act()
  const drawn = await page.evaluate<readonly number[]>(collect)
  return drawn.slice(1).map((at, index) => at - (drawn[index] ?? at))
}

/** How evenly frames came. */
export function describeFrames(taken: readonly number[]): string {
  const sorted = taken.toSorted((one, other) => one - other)
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)
  const perSecond = (taken.length / taken.reduce((sum, ms) => sum + ms, 0)) * 1000
  const inTime = (100 * taken.filter((ms) => ms <= inTimeMs).length) / taken.length
  return `${perSecond.toFixed(0)} a second, ${inTime.toFixed(0)} % in time, p95 ${at(0.95)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms`
}
