import type { Moment } from '../../../../lib/api/schemas.ts'
import type { ConsoleCall } from '../../../../player/page-log.ts'

/** The server rounds, and may know the browser's clock a little better. */
const nearMs = 2000
/** The server keeps so much of a line. */
const longestText = 1000

/** Finds the recorded call of the console that a moment tells of; undefined where the recording has none. */
export function findCall(calls: readonly ConsoleCall[]): (moment: Moment) => ConsoleCall | undefined {
  const byText = new Map<string, ConsoleCall[]>()
  for (const call of calls) {
    const key = [call.windowId, call.level, textOf(call.args)].join('\n')
    byText.set(key, [...(byText.get(key) ?? []), call])
  }
  return ({ kind, windowId, level, label, atMs }) => {
    if (kind !== 'console') return undefined
    const alike = byText.get([windowId, level, label].join('\n')) ?? []
    const near = alike.filter((call) => Math.abs(call.atMs - atMs) <= nearMs)
    return near.toSorted((a, b) => Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs))[0]
  }
}

/** The line as the server writes it: texts bare, everything else as JSON. */
const textOf = (args: readonly unknown[]): string =>
  args
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' ')
    .slice(0, longestText)
