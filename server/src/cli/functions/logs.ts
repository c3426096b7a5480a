import { setTimeout as pause } from 'node:timers/promises'
import { instanceError } from '../../errors.ts'
import type { FunctionLog } from '../../ground/model/function-log.ts'
import { faint, print, warn } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { ConsoleApi } from '../remote/console-api.ts'
import type { RemoteOptions } from '../remote/options.ts'
import { pathOf } from './answers.ts'
import { printLine } from './line.ts'

export interface LogsOptions extends RemoteOptions {
  readonly follow?: boolean
  readonly level?: FunctionLog['level']
  readonly since?: string
  readonly limit: string
  readonly json?: boolean
}

/** A line as the console's API answers it. */
interface LogLine extends Pick<FunctionLog, 'kind' | 'level' | 'text' | 'requestId' | 'version'> {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
}

interface LogQuery {
  readonly name: string
  readonly level?: FunctionLog['level'] | undefined
  readonly since?: Date | undefined
}

const pageSize = 500
const lookMs = 1000
/** Lines of other processes may be stored after newer ones: the last seconds are read again, and shown once. */
const overlapMs = 10_000

/**
 * Prints what a function logged, oldest line first; with `--follow` until the process ends.
 *
 * @throws CLEW_START_SETTING, CLEW_CONSOLE_REFUSED where there is no such function and nothing of one
 */
export async function logs(name: string, options: LogsOptions): Promise<number> {
  const { follow = false, level, json = false } = options
  const limit = readLimit(options.limit)
  const since = options.since === undefined ? undefined : readSince(options.since, new Date())
  const show = (line: LogLine): void =>
    json ? print(JSON.stringify(line)) : printLine(new Date(line.at).toLocaleString('sv'), name, line)
  return withConsole(options, async (api) => {
    const { lines, isCut } = await readLines(api, { name, level, since }, limit)
    if (lines.length === 0) {
      // Refuses a name that is not a function's, whose log would stay empty for ever.
      await api.send('GET', pathOf(name))
      if (!json) warn(faint(`  No line of ${name} matches${follow ? ' yet' : ''}, on ${api.name}`))
    }
    if (isCut && since !== undefined && !json) warn(faint(`  Older lines are left out: --limit ${limit * 10}`))
    for (const line of lines) show(line)
    if (follow) await followLines(api, { name, level }, lines, show)
    return 0
  })
}

/** Shows the lines that come after those that were shown, as they are stored. */
async function followLines(
  api: ConsoleApi,
  query: LogQuery,
  shown: readonly LogLine[],
  show: (line: LogLine) => void,
): Promise<never> {
  const seen = new Map(shown.map(({ id, at }) => [id, Date.parse(at)]))
  // What `--limit` left out stays out.
  const oldestMs = seen.size === 0 ? 0 : Math.min(...seen.values())
  // The server's clock, where it has said something: a line that was written just before may still be stored.
  let newestMs = Math.max(...seen.values(), seen.size === 0 ? Date.now() : 0)
  for (;;) {
    await pause(lookMs)
    const since = new Date(newestMs - overlapMs)
    const { lines } = await readLines(api, { ...query, since }, Number.POSITIVE_INFINITY)
    for (const line of lines) {
      const atMs = Date.parse(line.at)
      if (seen.has(line.id) || atMs < oldestMs) continue
      seen.set(line.id, atMs)
      newestMs = Math.max(newestMs, atMs)
      show(line)
    }
    for (const [id, atMs] of seen) if (atMs < since.getTime()) seen.delete(id)
  }
}

/** The newest lines, oldest first, and whether there are older ones. */
async function readLines(
  api: ConsoleApi,
  { name, level, since }: LogQuery,
  limit: number,
): Promise<{ readonly lines: readonly LogLine[]; readonly isCut: boolean }> {
  const lines: LogLine[] = []
  let before: string | null = null
  do {
    const query = new URLSearchParams({
      name,
      limit: String(Math.min(pageSize, limit - lines.length)),
      ...(level && { level }),
      ...(since && { since: since.toISOString() }),
      ...(before && { before }),
    })
    const page = (await api.send('GET', `/function-logs?${query}`)) as {
      readonly logs: readonly LogLine[]
      readonly next: string | null
    }
    lines.push(...page.logs)
    before = page.next
  } while (before !== null && lines.length < limit)
  return { lines: lines.reverse(), isCut: before !== null }
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw instanceError('CLEW_START_SETTING', { message: `--limit is "${text}"; allowed: a number from 1.` })
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** An instant, or a time before now. @throws CLEW_START_SETTING */
function readSince(text: string, now: Date): Date {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (number !== undefined) return new Date(now.getTime() - Number(number) * (unitMs[unit] ?? 0))
  const instant = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN)
  if (!Number.isNaN(instant.getTime())) return instant
  throw instanceError('CLEW_START_SETTING', {
    message: `--since is "${text}"; allowed: 30s, 15m, 2h, 7d, 2026-01-31T12:00:00Z.`,
  })
}
