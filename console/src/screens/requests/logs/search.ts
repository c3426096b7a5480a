import type { ServerLog } from '../../../lib/api/schemas.ts'
import { readText } from '../../../lib/read-search.ts'

/** The least severe level that is shown, in words. */
export const leastLevels = {
  debug: 'Debug and above',
  info: 'Info and above',
  warn: 'Warnings and errors',
  error: 'Errors',
} as const satisfies Partial<Record<ServerLog['level'], string>>

/** What a link to the logs of servers says. */
export interface ServerLogsSearch {
  /** All levels where it is absent. */
  readonly level?: keyof typeof leastLevels
  readonly service?: string
  readonly q?: string
  /** Off: the list stands still. */
  readonly live?: 'off'
}

/** Reads a link; what it does not understand it leaves out. */
export function readServerLogsSearch(search: Readonly<Record<string, unknown>>): ServerLogsSearch {
  const { level, live } = search
  return {
    ...readText(search, 'service', 'q'),
    ...(typeof level === 'string' && level in leastLevels ? { level: level as keyof typeof leastLevels } : {}),
    ...(live === 'off' ? { live } : {}),
  }
}
