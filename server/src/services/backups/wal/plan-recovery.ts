import type { Manifest } from '../copies/manifest.ts'
import { backupsError } from '../errors.ts'
import { isBefore } from './segments.ts'
import type { Stretch } from './stretch.ts'

/** A stretch as it is in the target. */
export interface KeptStretch extends Stretch {
  /** The place before which a clean-up has removed its log; null where it is whole. */
  readonly since: string | null
}

/** A range of restorable moments, both ends included. */
export interface RestorableSpan {
  readonly from: string
  readonly until: string
}

/** A backup, and the log that is replayed after it. */
export interface RecoveryPlan {
  readonly manifest: Manifest
  readonly stretch: KeptStretch
  /** Log from here on is needed, up to `untilLsn`. */
  readonly fromLsn: string
  readonly untilLsn: string
  /** What was committed later is left out; null for all that is kept. */
  readonly until: Date | null
}

interface RecoveryInput {
  /** The oldest first. */
  readonly manifests: readonly Manifest[]
  readonly stretches: readonly KeptStretch[]
  readonly at: Date | 'latest'
  /** The backup that it begins with; null for the newest before `at`. */
  readonly id: string | null
}

interface Copied {
  readonly manifest: Manifest
  readonly stopLsn: string
}

/**
 * Chooses the backup and the log by which a moment is restored.
 *
 * @throws CLEW_BACKUP_NO_LOG where none reach it, with the moments that they do reach
 */
export function planRecovery({ manifests, stretches, at, id }: RecoveryInput): RecoveryPlan {
  const plans = stretches.flatMap((stretch) => {
    const copies = copiesIn(stretch, manifests)
    const fitting = copies.filter(
      ({ manifest }) => (id === null || manifest.id === id) && isReached(manifest, stretch, at),
    )
    const base = fitting.at(-1)
    if (base === undefined) return []
    // A later backup of the stretch was begun after the moment: what was committed by then is before its end.
    const next = at === 'latest' ? undefined : copies.find(({ manifest }) => new Date(manifest.startedAt) > at)
    const untilLsn = next?.stopLsn ?? stretch.untilLsn
    return [{ manifest: base.manifest, stretch, fromLsn: base.stopLsn, untilLsn, until: at === 'latest' ? null : at }]
  })
  const plan = plans.at(-1)
  if (plan !== undefined) return plan
  const spans = restorableSpans(manifests, stretches).map(({ from, until }) => `${from} to ${until}`)
  const reached =
    spans.length === 0 ? 'No moment can be restored by the log.' : `Moments are kept from ${spans.join(', ')}.`
  const asked = at === 'latest' ? 'There is no log' : `There is no log of ${at.toISOString()}`
  throw backupsError('CLEW_BACKUP_NO_LOG', {
    message: `${asked}${id === null ? '' : ` after backup ${id}`}. ${reached}`,
  })
}

const isReached = ({ instant }: Manifest, { untilAt }: Stretch, at: Date | 'latest'): boolean =>
  untilAt !== null && (at === 'latest' || (new Date(instant) <= at && at <= new Date(untilAt)))

/** Which moments can be restored, the oldest first. */
export const restorableSpans = (
  manifests: readonly Manifest[],
  stretches: readonly KeptStretch[],
): readonly RestorableSpan[] =>
  stretches.flatMap((stretch) => {
    const first = copiesIn(stretch, manifests)[0]?.manifest.instant
    const { untilAt } = stretch
    return first === undefined || untilAt === null || untilAt < first ? [] : [{ from: first, until: untilAt }]
  })

/** The backups after which a stretch's log goes on, the oldest first. */
export const copiesIn = (stretch: KeptStretch, manifests: readonly Manifest[]): readonly Copied[] =>
  manifests.flatMap((manifest) => {
    const { postgres } = manifest
    if (postgres === null || postgres.systemId !== stretch.systemId || postgres.timeline !== stretch.timeline) return []
    const { stopLsn } = postgres
    const from = stretch.since ?? stretch.fromLsn
    return isBefore(stopLsn, from) || isBefore(stretch.untilLsn, stopLsn) ? [] : [{ manifest, stopLsn }]
  })
