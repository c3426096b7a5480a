import type { Report } from '../exception/model.ts'
import type { Rule } from '../exception/rules.ts'
import { headingOf } from '../exception/title.ts'
import type { SeenFingerprint } from '../store/seen.ts'
import { type GroupedException, heldMs } from './lines.ts'

/** A stored exception, with the rule that groups it. */
export interface RuledException extends GroupedException {
  readonly rule: Rule | null
  /** The report with the places of the sources. */
  readonly inSource: Report
}

const longestMessage = 1000

/** What a batch says of each of its fingerprints: its heading is that of the earliest exception. */
export function seenOf(grouped: readonly RuledException[]): readonly SeenFingerprint[] {
  const byTime = grouped.toSorted((one, other) => one.record.timeMs - other.record.timeMs)
  const all = new Map<string, RuledException[]>()
  for (const one of byTime) {
    const group = all.get(one.fingerprint)
    if (group === undefined) all.set(one.fingerprint, [one])
    else group.push(one)
  }
  return [...all].flatMap(([fingerprint, exceptions]) => {
    const [first] = exceptions
    if (first === undefined) return []
    const { record, report, rule, inSource } = first
    const [outermost] = report.exceptions
    const releases = exceptions.flatMap(({ report: { release } }) => release ?? [])
    return [
      {
        fingerprint,
        issueId: issueIdOf(fingerprint),
        ...headingOf(inSource, rule, record.url),
        type: outermost?.type ?? 'Error',
        message: (outermost?.message ?? '').slice(0, longestMessage),
        level: report.level,
        source: record.source,
        firstAt: new Date(heldMs(record.timeMs)).toISOString(),
        lastAt: new Date(heldMs((exceptions.at(-1) ?? first).record.timeMs)).toISOString(),
        firstRelease: releases[0] ?? null,
        lastRelease: releases.at(-1) ?? null,
      },
    ]
  })
}

/** A fingerprint's 32 digits as a UUID of version 8 (RFC 9562 §5.8). */
const issueIdOf = (fingerprint: string): string =>
  `${fingerprint.slice(0, 8)}-${fingerprint.slice(8, 12)}-8${fingerprint.slice(13, 16)}-a${fingerprint.slice(17, 20)}-${fingerprint.slice(20, 32)}`
