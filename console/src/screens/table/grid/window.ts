import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

/** The height of a row, in pixels. */
export const rowPx = 32
/** Rows that are drawn beyond those in sight, on each side. */
const overscan = 8
/** Chromium draws no lines of a table beyond 2²⁴ pixels, and Firefox lays out nothing beyond 17.8 million. */
const tallestPx = 8_000_000

/** Where rows stand in the element that scrolls. */
export interface Scroll {
  /** Of the element, in its pixels. */
  readonly top: number
  /** Pixels of rows that the element leaves out above what it shows. */
  readonly offset: number
}

/** What is drawn: rows from `first` up to, not including, `end`, with the space above and below them in pixels. */
export interface RowWindow {
  readonly first: number
  readonly end: number
  readonly abovePx: number
  readonly belowPx: number
}

/** Pixels of rows that the element is too short for. */
const excessOf = (count: number): number => Math.max(0, count * rowPx - tallestPx)

const isStep = (px: number, height: number): boolean => Math.abs(px) <= 4 * height

/**
 * Where rows stand once the element was scrolled. A step moves them by as many pixels as the element; a jump, which no hand
 * could make in steps, leads to the rows at that part of all of them.
 *
 * @param most   the largest `top` that the element takes
 * @param height of what is in sight
 */
export function scrolledTo(top: number, from: Scroll, count: number, most: number, height: number): Scroll {
  const excess = excessOf(count)
  if (!isStep(top - from.top, height)) return { top, offset: jumpOffset(top, excess, most, height) }
  const offset = Math.min(from.offset, excess)
  // At an end of the element there are rows left: it is placed anew, further from its end.
  const isStuck = (top < height && offset > 0) || (top > most - height && offset < excess)
  return isStuck ? placeOf(top + offset, count, most, height) : { top, offset }
}

/** Near its ends the element shows the first and the last rows, each pixel of them. */
function jumpOffset(top: number, excess: number, most: number, height: number): number {
  if (top < height) return 0
  return top > most - height ? excess : Math.round((excess * top) / most)
}

/** Where the element is to be scrolled, so that rows stand at a place among all of them. */
export function placeOf(rowsTop: number, count: number, most: number, height: number): Scroll {
  const excess = excessOf(count)
  const wanted = Math.min(Math.max(0, rowsTop), excess + most)
  if (excess === 0 || wanted < height) return { top: wanted, offset: 0 }
  if (wanted > excess + most - height) return { top: wanted - excess, offset: excess }
  const top = Math.min(most - height, Math.max(height, Math.round((wanted * most) / (excess + most))))
  return { top, offset: wanted - top }
}

/** The rows that a place of the scroll shows. */
export function windowAt({ top, offset: left }: Scroll, height: number, count: number): RowWindow {
  const excess = excessOf(count)
  const offset = Math.min(left, excess)
  const rowsTop = top + offset
  const end = Math.min(count, Math.ceil((rowsTop + height) / rowPx) + overscan)
  const least = Math.max(0, Math.floor(rowsTop / rowPx) - overscan, Math.ceil(offset / rowPx))
  const first = Math.min(least, Math.max(0, count - 1))
  return {
    ...{ first, end },
    abovePx: Math.max(0, first * rowPx - offset),
    belowPx: Math.max(0, count * rowPx - excess - (end * rowPx - offset)),
  }
}

/** The rows that are drawn, and what brings others into sight. */
export interface RowScroll extends RowWindow {
  /** Scrolls a row into sight, below the head. */
  readonly show: (index: number) => void
}

/**
 * Follows which rows of many are in sight. All have one height, so that a million of them cost what a screenful does; the
 * browser's own element scrolls, which is shorter than all of them where they are too many.
 */
export function useRowScroll(box: RefObject<HTMLDivElement | null>, count: number): RowScroll {
  const [place, setPlace] = useState({ scroll: start, height: unlaidPx })
  const exact = useRef(start)
  const put = (element: HTMLDivElement, next: Scroll) => {
    if (element.scrollTop !== next.top) element.scrollTop = next.top
    // The browser may have rounded it.
    exact.current = { top: element.scrollTop, offset: next.offset + next.top - element.scrollTop }
    const { top, offset } = exact.current
    const shown = { top: top - ((top + offset) % rowPx), offset }
    const nextHeight = heightOf(element)
    setPlace((before) =>
      before.scroll.top === shown.top && before.scroll.offset === offset && before.height === nextHeight
        ? before
        : { scroll: shown, height: nextHeight },
    )
  }
  const read = useEffectEvent((element: HTMLDivElement) =>
    put(element, scrolledTo(element.scrollTop, exact.current, count, mostOf(element), heightOf(element))),
  )
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const call = () => read(element)
    call()
    element.addEventListener('scroll', call, { passive: true })
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(call)
    observer?.observe(element)
    return () => {
      element.removeEventListener('scroll', call)
      observer?.disconnect()
    }
  }, [box])
  const show = (index: number) => {
    const element = box.current
    if (element === null) return
    const [most, height, { top, offset }] = [mostOf(element), heightOf(element), exact.current]
    const [rowTop, seen] = [index * rowPx, height - rowPx]
    const below = rowTop - (top + offset)
    if (below >= 0 && below + rowPx <= seen) return
    const by = below < 0 ? below : below + rowPx - seen
    put(
      element,
      isStep(by, height)
        ? scrolledTo(top + by, exact.current, count, most, height)
        : placeOf(top + offset + by, count, most, height),
    )
  }
  return { ...windowAt(place.scroll, place.height, count), show }
}

const start: Scroll = { top: 0, offset: 0 }

/** Without layout, as in tests, there is no height. */
const unlaidPx = 640

const heightOf = (element: HTMLDivElement): number => element.clientHeight || unlaidPx

const mostOf = ({ scrollHeight, clientHeight }: HTMLDivElement): number =>
  clientHeight === 0 ? tallestPx : Math.max(0, scrollHeight - clientHeight)
