import type { RequestSeries } from '../lib/api/schemas.ts'

type Part = RequestSeries['parts'][number]

/** A class of answers in the chart of requests. */
export interface ChartClass {
  readonly name: 'answered' | 'redirected' | 'refused' | 'failed'
  readonly label: string
  /** Class of its bar, and of its count. */
  readonly fill: string
  /** The token of its colour. */
  readonly colour: string
  readonly text: string
}

/** The classes, the worst first; bars are stacked with the worst on top. */
export const chartClasses: readonly ChartClass[] = [
  { name: 'failed', label: '5xx', fill: 'fill-danger', colour: '--danger', text: 'text-danger' },
  { name: 'refused', label: '4xx', fill: 'fill-warn', colour: '--warn', text: 'text-warn' },
  { name: 'redirected', label: '3xx', fill: 'fill-series-8', colour: '--series-8', text: 'text-ink-2' },
  { name: 'answered', label: '2xx', fill: 'fill-series-1 opacity-75', colour: '--series-1', text: 'text-ink' },
]

/** All requests of a part. */
export const countOf = (part: Part): number => part.answered + part.redirected + part.refused + part.failed

const dayMs = 86_400_000
const seconds = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const minutes = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })
const hours = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })
const days = new Intl.DateTimeFormat('en-GB', { month: 'short', day: 'numeric' })

/** When a part begins, in the viewer's zone and as exactly as its length asks. */
export function formatPartTime(at: string, partMs: number): string {
  const format = partMs >= dayMs ? days : partMs >= 15 * 60_000 ? hours : partMs >= 60_000 ? minutes : seconds
  return format.format(new Date(at))
}
