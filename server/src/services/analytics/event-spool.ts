import { classifyClickHouseError } from '../../engines/clickhouse/index.ts'
import { classifyPostgresError } from '../../engines/postgres/index.ts'
import {
  isolatePoisonRows,
  openSpool,
  type RewriteRow,
  rewriteRows,
  type Spool,
  type SpoolSink,
} from '../../engines/spool/index.ts'
import { unwatched } from '../../ground/model/live.ts'
import { atOnce, mayBeStored } from '../../ground/privacy/consent.ts'
import { type MaskList, noMasks } from '../../ground/privacy/masks.ts'
import { announceEvents, announceSnapshots } from './announce.ts'
import type { CaptureCounts } from './capture/counts.ts'
import { createUnfold } from './capture/unfold.ts'
import { parseConsentChanges } from './consent/change.ts'
import type { Consents } from './consent/consent.ts'
import { eventLines, snapshotLines, withhold } from './consent/withhold.ts'
import type { CookielessSessions } from './cookieless/sessions.ts'
import type { AnalyticsDeps } from './deps.ts'
import { eventColumns } from './event/event-line.ts'
import { parseGroupChanges } from './groups/change.ts'
import type { Groups } from './groups/groups.ts'
import { isMention } from './identity/change.ts'
import { changeSlices } from './identity/change-lines.ts'
import type { Persons } from './identity/persons.ts'
import { setBodiesAside } from './masking/bodies.ts'
import { rewriteEvents, rewriteExceptions, rewritePeople } from './masking/lines.ts'
import type { Seen } from './seen/seen.ts'
import { type EventTarget, eventTargets } from './targets.ts'

/** What was captured is made of decisions, persons and groups, besides events and recordings. */
export interface EventSpoolParts {
  readonly consents: Consents
  readonly persons: Persons
  readonly groups: Groups
  readonly cookieless: CookielessSessions
  readonly seen: Pick<Seen, 'stored'>
  readonly counts: Pick<CaptureCounts, 'leaveOut'>
}

/**
 * What was captured, on its way to its tables. Decisions of visitors come first, then persons, by whose ids the decisions
 * hold: what they do not allow is left out right before the tables, and nothing of it is stored. What is masked is masked
 * before a row is stored or refused.
 */
export function openEventSpool(
  deps: AnalyticsDeps,
  parts: EventSpoolParts,
  folder: string,
): Promise<Spool<EventTarget>> {
  const { live = unwatched, now, log } = deps
  const { batchMs } = deps.spoolSettings
  const { watchedBatchMs = batchMs, masks = noMasks } = deps
  const masked = (sink: SpoolSink, rewrite: (list: MaskList) => RewriteRow | null): SpoolSink =>
    rewriteRows(sink, async () => rewrite(await masks.current()))
  const tables = createTableSinks(deps, parts)
  const people = createPeopleSinks(deps, parts)
  return openSpool({
    folder,
    targets: eventTargets,
    content: 'events',
    sinks: {
      events: masked(tables.events, rewriteEvents),
      snapshots: unpacked(masked(tables.snapshots, deps.recordings.rewrite), deps),
      consent: people.consent,
      identity: masked(people.identity, rewritePeople),
      groups: masked(people.groups, rewritePeople),
      exceptions: masked(deps.exceptions ?? (async () => undefined), rewriteExceptions),
      // Only a body that could not be planned gets here.
      bodies: setBodiesAside(deps.refused, masks),
    },
    unfold: createUnfold({
      threads: deps.threads,
      maxEventBytes: deps.settings.maxEventBytes,
      known: { isKnown: parts.persons.isKnown, isKnownType: parts.groups.isKnownType },
      leaveOut: parts.counts.leaveOut,
    }),
    stages: [['consent'], ['identity', 'groups']],
    // A client forgets what was answered with 200: that must outlive a power cut.
    durability: 'disk',
    settings: deps.spoolSettings,
    isDiskShort: deps.isDiskShort,
    batchMs: () => (live.isWatched('session') ? Math.min(watchedBatchMs, batchMs) : batchMs),
    now,
    log,
  })
}

/** A sink of recordings that gets them unpacked: what is masked must be found in them, and they are kept in less room. */
const unpacked =
  (sink: SpoolSink, { recordings, threads }: Pick<AnalyticsDeps, 'recordings' | 'threads'>): SpoolSink =>
  async (blocks, sending) =>
    sink(await recordings.unpack(threads, blocks), sending)

/** Events and recordings, in ClickHouse. */
function createTableSinks(
  { clickhouse, recordings, refused, live = unwatched }: AnalyticsDeps,
  { consents, cookieless, seen }: EventSpoolParts,
): Record<'events' | 'snapshots', SpoolSink> {
  const storeEvents = async (lines: readonly Buffer[], onlyFitting: boolean): Promise<readonly Buffer[]> => {
    const kept = await cookieless.assign(await withhold(consents, lines, eventLines))
    if (kept.length === 0) return kept
    await clickhouse.insertLines('events', kept, { columns: eventColumns, onlyFitting })
    await seen.stored(kept)
    return kept
  }
  const storeSnapshots = async (lines: readonly Buffer[], onlyFitting: boolean): Promise<readonly Buffer[]> => {
    const kept = await withhold(consents, lines, snapshotLines)
    if (kept.length > 0) await recordings.store(kept, { onlyFitting })
    return kept
  }
  const common = { classify: classifyClickHouseError, refused }
  return {
    events: isolatePoisonRows({
      ...common,
      target: 'events',
      store: async (lines) => announceEvents(live, await storeEvents(lines, false)),
      storeFitting: async (lines) => {
        await storeEvents(lines, true)
      },
    }),
    snapshots: isolatePoisonRows({
      ...common,
      target: 'snapshots',
      store: async (lines) => announceSnapshots(live, await storeSnapshots(lines, false)),
      storeFitting: async (lines) => {
        await storeSnapshots(lines, true)
      },
    }),
  }
}

/** Decisions, persons and groups, in PostgreSQL. */
function createPeopleSinks(
  { refused }: AnalyticsDeps,
  { consents, persons, groups }: EventSpoolParts,
): Record<'consent' | 'identity' | 'groups', SpoolSink> {
  const common = { classify: classifyPostgresError, refused }
  return {
    consent: isolatePoisonRows({
      ...common,
      target: 'consent',
      store: (lines) => consents.decide(parseConsentChanges(lines)),
    }),
    identity: isolatePoisonRows({
      ...common,
      target: 'identity',
      // A change is applied once however often it comes: slices that were applied before a failure may come again.
      store: async (lines) => {
        for (const changes of changeSlices(lines)) {
          const telling = changes.filter((change) => !(isMention(change) && persons.isKnown(change.distinctId)))
          if (telling.length > 0) await persons.apply(telling)
        }
      },
    }),
    groups: isolatePoisonRows({
      ...common,
      target: 'groups',
      store: async (lines) => {
        const changes = parseGroupChanges(lines)
        const since = await consents.since([...new Set(changes.map(({ distinctId }) => distinctId))])
        await groups.apply(
          changes.filter(({ distinctId, atMs }) => mayBeStored(since.get(distinctId), () => atOnce(atMs))),
        )
      },
    }),
  }
}
