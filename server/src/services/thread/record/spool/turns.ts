import type { SpoolRecord } from '../../../../engines/spool/index.ts'
import type { RequestRecord } from '../../../../ground/model/request.ts'
import { stringifyWellFormed } from '../../../../ground/text/well-formed.ts'
import { Lines } from '../lines.ts'
import type { Evidence } from '../observation.ts'
import { createQuote, RequestPage } from '../request-lines.ts'

/** Where a record's rows go. A record in the spool holds the place in this list: append only. */
export const targets = ['requests', 'statements', 'evidence', 'logs', 'frames', 'exchanges'] as const
export type Target = (typeof targets)[number]

const textsQuoted = 1000
/** Under load all that ended within so long share an append: to wake a thread for each turn would cost more than it keeps. */
const appendEveryMs = 5

/**
 * Collects what ends in one turn of the event loop, or under load in a few, for one append.
 *
 * @param renderExchange what is kept of the headers and bodies of a request and its answer, as a line; null for nothing
 */
export function openTurns(
  renderExchange: (record: RequestRecord) => string | null,
  append: (records: readonly SpoolRecord<Target>[], requests: number) => void,
) {
  const page = new RequestPage(createQuote(textsQuoted))
  const logs = new Lines()
  const frames = new Lines()
  const exchanges = new Lines()
  let observations: Evidence[] = []
  let isOpen = false
  let appendedMs = 0

  const end = (): void => {
    if (!isOpen) return
    isOpen = false
    appendedMs = performance.now()
    const records = [
      ...recordOf('requests', page.requests),
      ...recordOf('statements', page.statements),
      ...evidenceRecord(observations),
      ...recordOf('logs', logs),
      ...recordOf('frames', frames),
      ...recordOf('exchanges', exchanges),
    ]
    append(records, page.count)
    page.clear()
    logs.clear()
    frames.clear()
    exchanges.clear()
    observations = []
  }
  const open = (): void => {
    if (isOpen) return
    isOpen = true
    if (performance.now() - appendedMs < appendEveryMs) setTimeout(end, appendEveryMs)
    else setImmediate(end)
  }

  return {
    end,
    ended(record: RequestRecord): void {
      page.append(record)
      const exchange = renderExchange(record)
      if (exchange !== null) exchanges.append(exchange)
      open()
    },
    observed(evidence: Evidence): void {
      observations.push(evidence)
      open()
    },
    logged(line: string): void {
      logs.append(line)
      open()
    },
    framed(line: string): void {
      frames.append(line)
      open()
    },
  }
}

const recordOf = (target: Target, lines: Lines): SpoolRecord<Target>[] =>
  lines.rows === 0 ? [] : [{ target, rows: lines.rows, lines: lines.joined }]

const evidenceRecord = (evidence: readonly Evidence[]): SpoolRecord<'evidence'>[] =>
  evidence.length === 0
    ? []
    : [{ target: 'evidence', rows: evidence.length, lines: evidence.map(stringifyWellFormed).join('\n') }]

/** Reads what `evidenceRecord` wrote, checked by its CRC. */
export const parseEvidence = (block: Buffer): Evidence[] =>
  block
    .toString()
    .split('\n')
    .map((line) => {
      const seen = JSON.parse(line) as Evidence & { readonly at: string }
      return { ...seen, at: new Date(seen.at) }
    })
