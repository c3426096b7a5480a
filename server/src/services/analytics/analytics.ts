import { drainSpools, type SpoolBacklog } from '../../engines/spool/index.ts'
import { defaultJsonDepth } from '../../ground/http/json-size.ts'
import type { JsonObject } from '../../ground/json/object.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { PersonFacts, StoredPerson } from '../../ground/model/person.ts'
import type { MaskedStore } from '../../ground/privacy/masks.ts'
import { type Capture, createCapture } from './capture/capture.ts'
import { createDailySecret } from './capture/cookieless.ts'
import { createCaptureCounts } from './capture/counts.ts'
import type { CaptureSettings } from './capture-settings/settings.ts'
import type { ConsentChange } from './consent/change.ts'
import { type Consents, createConsents } from './consent/consent.ts'
import { useMetadataStatement } from './consent/store.ts'
import { createCookielessSessions } from './cookieless/sessions.ts'
import type { AnalyticsDeps } from './deps.ts'
import { createErasures, type Erasures } from './erasure/erasures.ts'
import { createForgetEvents } from './erasure/forget-events.ts'
import { openEventSpool } from './event-spool.ts'
import { createEventPages, type EventPages } from './events/events.ts'
import { createExperimentEvents, type ExperimentEvents } from './experiment-events.ts'
import { openPlaces, type Places } from './geo/database.ts'
import { createGroups, type Groups } from './groups/groups.ts'
import { createGroupPages, type GroupPages } from './groups/pages.ts'
import { createHeatmaps, type Heatmaps } from './heatmaps/heatmaps.ts'
import { createHistory, type History } from './history/history.ts'
import { findSomePersons, findStoredPerson } from './identity/facts.ts'
import type { LinkOutcome, UserLink } from './identity/link.ts'
import { createPersons, type Persons } from './identity/persons.ts'
import type { Split, SplitOutcome } from './identity/split.ts'
import { maskedStores } from './masking/stores.ts'
import { createPeople, type People } from './people/people.ts'
import { createPropertyColumns, type PropertyColumns } from './properties/columns.ts'
import { selectPropertyNamesStatement } from './queries.ts'
import { openScriptLibrary, type ScriptLibrary } from './scripts/library.ts'
import { seenInRows } from './seen/lines.ts'
import { createSeen, type Seen } from './seen/seen.ts'
import type { AnalyticsSettings } from './settings.ts'
import { createEventStore, type EventStore } from './store.ts'
import { createSurveyEvents, type SurveyEvents } from './survey-events.ts'
import { createVitals, type Vitals } from './vitals/vitals.ts'

/** No batch of a healthy engine takes longer. */
const spoolSettleMs = 10_000

/** What waits to be stored, and what was taken since the start: for health and metrics. */
export interface Waiting extends SpoolBacklog {
  readonly accepted: number
  /** Events left out of their batches, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

/** Capture, persons, and what the thread reads of events. */
export interface Analytics {
  readonly events: EventStore
  /** What browsers sent about surveys. */
  readonly surveyEvents: SurveyEvents
  /** Who was shown what, and did what, for experiments. */
  readonly experimentEvents: ExperimentEvents
  /**
   * Ties an id of the browser to the user who signed in there. An id whose person belongs to another user already is
   * left alone. Cheap to call again for the same pair.
   */
  linkUser(link: UserLink): Promise<LinkOutcome>
  /** Who is behind each id; ids without a person are left out. */
  personsByDistinctId(distinctIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** The persons that users were linked with; users without one are left out. */
  personsByUserId(userIds: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>>
  /** People, as the console shows them. */
  readonly people: People
  /** Events, as the console shows them. */
  readonly eventPages: EventPages
  /** Groups, as the console shows them. */
  readonly groupPages: GroupPages
  /** Where people click, move and scroll. */
  readonly heatmaps: Heatmaps
  /** What browsers measured of pages. */
  readonly vitals: Vitals
  /** The person behind an id with all that is stored of them; null for an id without one. */
  storedPerson(distinctId: string): Promise<StoredPerson | null>
  /** Persons, those seen latest first. */
  somePersons(limit: number): Promise<readonly StoredPerson[]>
  /** Ids of persons in whose e-mail or name a word begins with each word of a text; for searching. */
  distinctIdsMatching(text: string, limit: number): Promise<readonly string[]>
  /** Takes ids away from a person into a new one; only `$merge_dangerously` joins them again. */
  splitPerson(split: Split): Promise<SplitOutcome>
  /** The ids of a person, the first `limit` of them by name; null where there is no such person. */
  distinctIdsOf(personId: string, limit: number): Promise<readonly string[] | null>
  /** What is known of a group, as `$groupidentify` said it; null where it was never described. */
  groupProperties(type: string, key: string): Promise<JsonObject | null>
  /** Groups of a type, those seen latest first. */
  readonly someGroups: Groups['some']
  /** The types of groups by their numbers, 0 to 4. */
  groupTypes(): Promise<ReadonlyMap<number, string>>
  /** Removes what was stored of people who withdrew their consent. */
  readonly erasures: Erasures
  /** Where events and people are kept, for masks of the past. */
  readonly maskedStores: readonly MaskedStore[]
  /** Properties that are asked for often have a column of their own. */
  readonly propertyColumns: Pick<PropertyColumns, 'start'>
  /** When people and groups were last seen. */
  readonly seen: Pick<Seen, 'start'>
  /** Names of properties of the latest events. */
  propertyNames(limit: number): Promise<readonly string[]>
  waiting(): Waiting
  /** How storing goes. */
  health(): Promise<EngineHealth>
  /** Stores events that another instance had stored, rows of `events` as JSON objects; an event that is stored twice is there once. */
  importEvents(rows: readonly string[]): Promise<void>
  /** Events and persons that were stored elsewhere before. */
  readonly history: History
  /** For the plugin only. */
  readonly edge: AnalyticsEdge
  /** Waits for what is being written; what waits in the spool is stored after the next start. */
  close(): Promise<void>
}

/** What the HTTP edge is made of. */
export interface AnalyticsEdge {
  readonly capture: Capture
  readonly places: Pick<Places, 'find'>
  /** Keeps a visitor's decision at once. */
  readonly decide: (change: ConsentChange) => Promise<void>
  readonly scripts: ScriptLibrary
  readonly isToken: (token: string) => boolean
  readonly isSecretKey: (key: string) => boolean
  readonly suppressionRules: () => readonly object[]
  /** What browsers are told to send. */
  readonly captureSettings: () => Promise<CaptureSettings>
  readonly settings: AnalyticsSettings
  readonly jsonDepth: number
  readonly now: () => Date
  readonly newId: () => string
}

/** The erasures of events: what other rooms keep of a person goes first, or after. */
const openErasures = (
  { sql, clickhouse, recordings, forgetFirst = [], forget = [], reasonToWait, settleMs, now, log }: AnalyticsDeps,
  { consents, persons }: { readonly consents: Consents; readonly persons: Persons },
) =>
  createErasures({
    ...{ sql, consents, now, log },
    forget: [...forgetFirst, createForgetEvents(clickhouse), recordings.forget, ...forget, persons.forget],
    reasonToWait: reasonToWait ?? (async () => null),
    settleMs: settleMs ?? spoolSettleMs,
  })

/** What the console's screens show of people, groups, events and pages. */
function createScreens(
  { sql, clickhouse, now, settings }: AnalyticsDeps,
  facts: Persons['facts'],
  properties: PropertyColumns,
): Pick<Analytics, 'people' | 'groupPages' | 'eventPages' | 'heatmaps' | 'vitals'> {
  const eventPages = createEventPages({ clickhouse, facts, properties, now })
  return {
    people: createPeople({ sql, clickhouse, now }),
    groupPages: createGroupPages({ sql, clickhouse, facts, events: eventPages, now }),
    eventPages,
    heatmaps: createHeatmaps({ clickhouse, facts, now, settings }),
    vitals: createVitals({ clickhouse, facts, now, settings }),
  }
}

/** A split whose two sides were each last seen with their own ids. */
const splitAndRecount =
  ({ split }: Persons, { recount }: Seen): Analytics['splitPerson'] =>
  async (wanted) => {
    const outcome = await split(wanted)
    if (outcome.kind === 'split') for (const id of [wanted.personId, outcome.personId]) await recount(id)
    return outcome
  }

const storeImported =
  ({ insertLines }: AnalyticsDeps['clickhouse'], { note }: Seen): Analytics['importEvents'] =>
  async (rows) => {
    await insertLines('events', rows)
    await note(seenInRows(rows))
  }

/**
 * Opens the spool and begins to store what waits in it. The tables must have been migrated, or be migrated soon: what
 * cannot be stored yet is tried again.
 */
export async function createAnalytics(deps: AnalyticsDeps): Promise<Analytics> {
  const { clickhouse, recordings, settings, jsonDepth = defaultJsonDepth, now, newId, log } = deps
  // Not a secret: it stands in every page. A hash of each guess would cost more than it hides.
  const { ingestTokens } = deps
  const isToken = (token: string): boolean => ingestTokens.includes(token)
  const consents = createConsents(deps.sql, settings.consent === 'required')
  await deps.sql.query(useMetadataStatement(settings.consentMetadata))
  const persons = createPersons({ sql: deps.sql, consents, now, newId, settings, log })
  const stopListening = await deps.listen?.('clew_person_ids', (id) => persons.changed([id]), persons.anyChanged)
  const groups = createGroups({ sql: deps.sql, now, log })
  const cookieless = createCookielessSessions({ sql: deps.sql, newId })
  const places = await openPlaces({ path: settings.geoDatabase, log })
  const counts = createCaptureCounts()
  const seen = createSeen({ sql: deps.sql, clickhouse, settings, now, log })
  const open = (folder: string) => openEventSpool(deps, { consents, persons, groups, cookieless, seen, counts }, folder)
  const spool = await open(deps.spoolDir)
  const left = await drainSpools(open, deps.leftSpoolDirs ?? [])
  const capture = createCapture({
    ...{ spool, threads: deps.threads, tokens: ingestTokens, places, recordings, newId, settings, jsonDepth, counts },
    ...{ isKnown: persons.isKnown, isAt: persons.isAt, isKnownType: groups.isKnownType },
    dailySecret: createDailySecret(deps.sql),
  })

  const erasures = openErasures(deps, { consents, persons })
  const properties = createPropertyColumns({ sql: deps.sql, clickhouse, settings, now, log })
  return {
    events: createEventStore(clickhouse, settings),
    surveyEvents: createSurveyEvents(clickhouse),
    experimentEvents: createExperimentEvents(clickhouse, properties),
    linkUser: persons.link,
    personsByDistinctId: persons.facts,
    personsByUserId: persons.factsOfUsers,
    ...createScreens(deps, persons.facts, properties),
    storedPerson: (distinctId) => findStoredPerson(deps.sql, distinctId),
    somePersons: (limit) => findSomePersons(deps.sql, limit),
    distinctIdsMatching: persons.idsMatching,
    splitPerson: splitAndRecount(persons, seen),
    distinctIdsOf: persons.idsOf,
    ...{ groupProperties: groups.properties, someGroups: groups.some, groupTypes: groups.types },
    erasures,
    maskedStores: maskedStores(deps),
    propertyColumns: properties,
    propertyNames: async (limit) =>
      (await clickhouse.query<{ name: string }>(selectPropertyNamesStatement(limit))).map(({ name }) => name),
    history: createHistory({ ...deps, spool, consents, jsonDepth }),
    seen,
    importEvents: storeImported(clickhouse, seen),
    health: spool.health,
    waiting: () => ({ ...spool.backlog(), ...counts.now() }),
    edge: {
      capture,
      places,
      decide: async (change) => {
        await consents.decide([change])
        // NOTIFY takes a moment, and the page's next call follows at once.
        persons.changed([change.distinctId])
        erasures.wake()
      },
      scripts: await openScriptLibrary(),
      isToken,
      isSecretKey: deps.isSecretKey,
      suppressionRules: deps.suppressionRules ?? (() => []),
      captureSettings: deps.captureSettings ?? (async () => settings),
      settings,
      jsonDepth,
      now,
      newId,
    },
    async close() {
      await stopListening?.()
      await places.close()
      await erasures.close()
      await properties.close()
      await left.close()
      await spool.close()
      await seen.close()
    },
  }
}
