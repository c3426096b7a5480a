import { readText } from '../../lib/read-search.ts'

const tabs = ['overview', 'code', 'invoke', 'logs', 'versions', 'triggers'] as const
const levels = ['debug', 'info', 'warning', 'error'] as const
const times = ['hour', 'day', 'week'] as const

/** The parts of the screen. */
export type FunctionTab = (typeof tabs)[number]

/** The levels of log lines. */
export type LogLevel = (typeof levels)[number]

/** How far back the figures go. */
export type FigureTime = (typeof times)[number]

/** All that a link to a function says. */
export interface FunctionSearch {
  readonly tab?: FunctionTab
  readonly time?: FigureTime
  /** The file that is open. */
  readonly file?: string
  readonly level?: LogLevel
  readonly q?: string
  /** Off: the log stands still. */
  readonly live?: 'off'
}

/** Reads a link; what it does not understand it leaves out. */
export function readFunctionSearch(search: Readonly<Record<string, unknown>>): FunctionSearch {
  const tab = tabs.find((name) => name === search.tab)
  const level = levels.find((name) => name === search.level)
  const time = times.find((name) => name === search.time)
  return {
    ...(tab && { tab }),
    ...(time && { time }),
    ...(level && { level }),
    ...readText(search, 'file', 'q'),
    ...(search.live === 'off' ? { live: 'off' } : {}),
  }
}
