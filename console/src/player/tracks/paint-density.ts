import { type Axis, toX } from './axis/axis.ts'
import type { Track } from './marks.ts'
import { scaleTo } from './paint.ts'

const COLUMN_PX = 3
const HEIGHT_PX = 16

/**
 * How many points stand in each column of an axis, and whether one of them tells of something that went wrong.
 *
 * @returns a column each `COLUMN_PX` of the width, from the left
 */
export function densityOf(tracks: readonly Track[], axis: Axis): readonly { count: number; bad: boolean }[] {
  const columns = Array.from({ length: Math.ceil(axis.width / COLUMN_PX) }, () => ({ count: 0, bad: false }))
  for (const { id, marks } of tracks) {
    for (const { atMs, untilMs } of marks) {
      const column = columns[Math.min(Math.floor(toX(axis, atMs) / COLUMN_PX), columns.length - 1)]
      if (untilMs !== undefined || column === undefined) continue
      column.count += 1
      column.bad ||= id === 'errors'
    }
  }
  return columns
}

/** Paints how much happened when. */
export function paintDensity(canvas: HTMLCanvasElement, tracks: readonly Track[], axis: Axis): void {
  const context = canvas.getContext('2d')
  if (!context) return
  scaleTo(canvas, context, axis.width, HEIGHT_PX)
  const style = getComputedStyle(canvas)
  const columns = densityOf(tracks, axis)
  const most = Math.max(1, ...columns.map(({ count }) => count))
  columns.forEach(({ count, bad }, at) => {
    if (count === 0) return
    // By the root: one click beside a storm of requests is still seen.
    const height = Math.max(2, Math.sqrt(count / most) * (HEIGHT_PX - 3))
    context.fillStyle = style.getPropertyValue(bad ? '--danger' : '--ink-3')
    context.fillRect(at * COLUMN_PX, HEIGHT_PX - height, COLUMN_PX - 1, height)
  })
}
