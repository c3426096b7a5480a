import { type ClickHouse, classifyClickHouseError } from '../../engines/clickhouse/index.ts'
import { classifyPostgresError, type Sql } from '../../engines/postgres/index.ts'
import {
  drainSpools,
  isolatePoisonRows,
  openSpool,
  type RefusedRows,
  type Spool,
  type SpoolBacklog,
  type SpoolSettings,
  type SpoolSink,
} from '../../engines/spool/index.ts'
import type { Threads } from '../../engines/threads/index.ts'
import { defaultJsonDepth } from '../../ground/http/json-size.ts'
import type { JsonObject } from '../../ground/json/object.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import { type LiveNotices, unwatched } from '../../ground/model/live.ts'
import type { Log } from '../../ground/model/log.ts'
import type { PersonFacts, StoredPerson } from '../../ground/model/person.ts'
import { announceEvents, announceSnapshots } from './announce.ts'
import { type Capture, createCapture } from './capture/capture.ts'
import { createDailySecret } from './capture/cookieless.ts'
import { eventColumns } from './event/event-line.ts'
import { parseGroupChanges } from './groups/change.ts'
import { createGroups, type Groups } from './groups/groups.ts'
import { changeSlices } from './identity/change-lines.ts'
import { findSomePersons, findStoredPerson } from './identity/facts.ts'
import type { LinkOutcome, UserLink } from './identity/link.ts'
import { createPersons, type Persons } from './identity/persons.ts'
import type { Split, SplitOutcome } from './identity/split.ts'
import type { RecordingsPort } from './replay-port.ts'
import { openScriptLibrary, type ScriptLibrary } from './scripts/library.ts'
import type { AnalyticsSettings } from './settings.ts'
import { createEventStore, type EventStore } from './store.ts'
import { type EventTarget, eventTargets } from './targets.ts'

/** What analytics needs of engines and other services. */
export interface AnalyticsDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'insertLines' | 'query'>
  /** A folder of its own, on a disk that keeps what was synced. */
  readonly spoolDir: string
  /** Folders of the same kind that no process writes any more. */
  readonly leftSpoolDirs?: readonly string[]
  readonly spoolSettings: SpoolSettings
  /** Takes the rows that an engine rejects for what they are. */
  readonly refused: RefusedRows
  /** Project tokens that are taken, the first of them the project's own. */
  readonly ingestTokens: readonly string[]
  /** Whether a bearer token is a secret key of the project; flag definitions are for servers only. */
  readonly isSecretKey: (key: string) => boolean
  readonly recordings: RecordingsPort
  /** Stores lines of `ExceptionRecord`, each of them an event `$exception`, which is stored besides; none where not given. */
  readonly exceptions?: SpoolSink
  /** Where large bodies are read. */
  readonly threads: Pick<Threads, 'run'>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: AnalyticsSettings
  /** How deep the JSON of a body may nest; 200 where nothing is said. */
  readonly jsonDepth?: number
  /** Hears of what was stored. */
  readonly live?: LiveNotices
  /** Milliseconds between two batches while a session is watched. */
  readonly watchedBatchMs?: number
  readonly log: Log
}

/** What waits to be stored, and what was taken since the start: for health and metrics. */
export interface Waiting extends SpoolBacklog {
  readonly accepted: number
  /** Events left out of their batches, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** Capture, persons, and what the thread reads of events. */
export interface Analytics {
  readonly events: EventStore
  /**
   * Ties an id of the browser to the user who signed in there. An id whose person belongs to another user already is
   * left alone. Cheap to call again for the same pair.
   */
  linkUser(link: UserLink): Promise<LinkOutcome>
  /** Who is behind each id; ids without a person are left out. */
  personsByDistinctId(distinctIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** The persons that users were linked with; users without one are left out. */
  personsByUserId(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** The person behind an id with all that is stored of them; null for an id without one. */
  storedPerson(distinctId: string): Promise<StoredPerson | null>
  /** The latest persons. */
  somePersons(limit: number): Promise<readonly StoredPerson[]>
  /** Ids of persons whose e-mail or name contains a text, in any case; for searching. */
  distinctIdsMatching(text: string, limit: number): Promise<readonly string[]>
  /** Takes ids away from a person into a new one; only `$merge_dangerously` joins them again. */
  splitPerson(split: Split): Promise<SplitOutcome>
  /** The ids of a person, the first `limit` of them by name; null where there is no such person. */
  distinctIdsOf(personId: string, limit: number): Promise<readonly string[] | null>
  /** What is known of a group, as `$groupidentify` said it; null where it was never described. */
  groupProperties(type: string, key: string): Promise<JsonObject | null>
  /** The types of groups by their numbers, 0 to 4. */
  groupTypes(): Promise<ReadonlyMap<number, string>>
  waiting(): Waiting
  /** How storing goes. */
  health(): Promise<EngineHealth>
  /** Stores events that another instance had stored, rows of `events` as JSON objects; an event that is stored twice is there once. */
  importEvents(rows: readonly string[]): Promise<void>
  /** For the plugin only. */
  readonly edge: AnalyticsEdge
  /** Waits for what is being written; what waits in the spool is stored after the next start. */
  close(): Promise<void>
}

/** What the HTTP edge is made of. */
export interface AnalyticsEdge {
  readonly capture: Capture
  readonly scripts: ScriptLibrary
  readonly isToken: (token: string) => boolean
  readonly isSecretKey: (key: string) => boolean
  readonly settings: AnalyticsSettings
  readonly jsonDepth: number
  readonly now: () => Date
  readonly newId: () => string
}

/**
 * Opens the spool and begins to store what waits in it. The tables must have been migrated, or be migrated soon: what
 * cannot be stored yet is tried again.
 */
export async function createAnalytics(deps: AnalyticsDeps): Promise<Analytics> {
  const { clickhouse, recordings, settings, jsonDepth = defaultJsonDepth, now, newId, log } = deps
  // Not a secret: it stands in every page. A hash of each guess would cost more than it hides.
  const tokens = new Set(deps.ingestTokens)
  const isToken = (token: string): boolean => tokens.has(token)
  const persons = createPersons({ sql: deps.sql, now, newId, settings, log })

  const groups = createGroups({ sql: deps.sql, now, log })
  const open = (folder: string) => openEventSpool(deps, persons, groups, folder)
  const spool = await open(deps.spoolDir)
  const left = await drainSpools(open, deps.leftSpoolDirs ?? [])
  const capture = createCapture({
    spool,
    threads: deps.threads,
    tokens,
    isKnown: persons.isKnown,
    isKnownType: groups.isKnownType,
    dailySecret: createDailySecret(deps.sql),
    recordings,
    newId,
    settings,
    jsonDepth,
  })

  return {
    events: createEventStore(clickhouse, settings),
    linkUser: persons.link,
    personsByDistinctId: persons.facts,
    personsByUserId: persons.factsOfUsers,
    storedPerson: (distinctId) => findStoredPerson(deps.sql, distinctId),
    somePersons: (limit) => findSomePersons(deps.sql, limit),
    distinctIdsMatching: persons.idsMatching,
    splitPerson: persons.split,
    distinctIdsOf: persons.idsOf,
    groupProperties: groups.properties,
    groupTypes: groups.types,
    importEvents: (rows) => clickhouse.insertLines('events', rows),
    health: spool.health,
    waiting: () => ({ ...spool.backlog(), ...capture.counts() }),
    edge: {
      capture,
      scripts: await openScriptLibrary(),
      isToken,
      isSecretKey: deps.isSecretKey,
      settings,
      jsonDepth,
      now,
      newId,
    },
    async close() {
      await left.close()
      await spool.close()
    },
  }
}

/** What was captured, on its way to its tables. */
function openEventSpool(
  deps: AnalyticsDeps,
  persons: Persons,
  groups: Groups,
  folder: string,
): Promise<Spool<EventTarget>> {
  const { clickhouse, recordings, refused, live = unwatched, now, log } = deps
  const { batchMs } = deps.spoolSettings
  const { watchedBatchMs = batchMs } = deps
  return openSpool({
    folder,
    targets: eventTargets,
    content: 'events',
    sinks: {
      events: isolatePoisonRows({
        target: 'events',
        store: async (lines) => {
          await clickhouse.insertLines('events', lines, { columns: eventColumns })
          announceEvents(live, lines)
        },
        storeFitting: (lines) => clickhouse.insertLines('events', lines, { columns: eventColumns, onlyFitting: true }),
        classify: classifyClickHouseError,
        refused,
      }),
      snapshots: isolatePoisonRows({
        target: 'snapshots',
        store: async (lines) => {
          await recordings.store(lines)
          announceSnapshots(live, lines)
        },
        storeFitting: (lines) => recordings.store(lines, { onlyFitting: true }),
        classify: classifyClickHouseError,
        refused,
      }),
      identity: isolatePoisonRows({
        target: 'identity',
        // A change is applied once however often it comes: slices that were applied before a failure may come again.
        store: async (lines) => {
          for (const changes of changeSlices(lines)) await persons.apply(changes)
        },
        classify: classifyPostgresError,
        refused,
      }),
      groups: isolatePoisonRows({
        target: 'groups',
        store: (lines) => groups.apply(parseGroupChanges(lines)),
        classify: classifyPostgresError,
        refused,
      }),
      exceptions: deps.exceptions ?? (async () => undefined),
    },
    // A client forgets what was answered with 200: that must outlive a power cut.
    durability: 'disk',
    settings: deps.spoolSettings,
    batchMs: () => (live.isWatched('session') ? Math.min(watchedBatchMs, batchMs) : batchMs),
    now,
    log,
  })
}
