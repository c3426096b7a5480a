import { type RefObject, useLayoutEffect, useState } from 'react'

/** The height of a row, in pixels. */
export const rowPx = 32
/** Rows that are drawn beyond those in sight, on each side. */
const overscan = 8

/** The rows that are drawn: from `first` up to, not including, `end`. */
export interface RowWindow {
  readonly first: number
  readonly end: number
}

/** The rows that a place of the scroll shows. */
function windowAt(scrollTop: number, height: number, count: number): RowWindow {
  const top = Math.max(0, Math.floor(scrollTop / rowPx) - overscan)
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowPx) + overscan)
  return { first: Math.min(top, Math.max(0, count - 1)), end }
}

/**
 * Follows which rows of many are in sight. All have one height, so that a million of them cost what a screenful does; the
 * browser's own element of that height scrolls.
 */
export function useRowWindow(box: RefObject<HTMLDivElement | null>, count: number): RowWindow {
  const [place, setPlace] = useState({ scrollTop: 0, height: 640 })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const read = () =>
      setPlace((before) => {
        // Without layout, as in tests, there is no height.
        const height = element.clientHeight || 640
        const scrollTop = element.scrollTop - (element.scrollTop % rowPx)
        return before.scrollTop === scrollTop && before.height === height ? before : { scrollTop, height }
      })
    read()
    element.addEventListener('scroll', read, { passive: true })
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(read)
    observer?.observe(element)
    return () => {
      element.removeEventListener('scroll', read)
      observer?.disconnect()
    }
  }, [box])
  return windowAt(place.scrollTop, place.height, count)
}

/** Scrolls a row into sight, below the head. */
export function showRow(element: HTMLDivElement, index: number): void {
  const top = index * rowPx
  const height = (element.clientHeight || 640) - rowPx
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + rowPx > element.scrollTop + height) element.scrollTop = top + rowPx - height
}
