import { type RefObject, useEffect, useRef, useState } from 'react'
import { useThemeChanges } from '../../ui/theme-changes.ts'
import type { Axis } from './axis/axis.ts'
import { type PlacedTrack, paintTracks } from './paint.ts'

/** Paints the tracks' marks and, on a canvas above them, those of the lit cause, so that lighting repaints only these. */
export function useTrackPictures(
  tracks: readonly PlacedTrack[],
  axis: Axis,
  lit: string | undefined,
): { readonly marks: RefObject<HTMLCanvasElement | null>; readonly lights: RefObject<HTMLCanvasElement | null> } {
  const marks = useRef<HTMLCanvasElement>(null)
  const lights = useRef<HTMLCanvasElement>(null)
  const theme = useThemeChanges()

  useEffect(() => {
    // The theme is not an input of the picture but of its colours, which are read while painting.
    if (marks.current && theme >= 0) paintTracks(marks.current, { tracks, axis })
  }, [tracks, axis, theme])

  useEffect(() => {
    if (lights.current && theme >= 0) paintTracks(lights.current, { tracks, axis, lit })
  }, [tracks, axis, lit, theme])

  return { marks, lights }
}

/** An element's inner width in pixels; 0 before it is measured. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [ref])
  return width
}
