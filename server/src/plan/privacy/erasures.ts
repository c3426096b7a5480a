import { changesCaughtUp } from '../../engines/postgres/index.ts'
import { refusedPersonStore } from '../../engines/spool/index.ts'
import { currentOf, ofEachRoot } from '../../ground/ids/root-keys.ts'
import { certificateKeyOf } from '../../ground/privacy/certificate.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { type Analytics, analyticsPersonStores, findKnownPerson, refuseIds } from '../../services/analytics/index.ts'
import { authPersonStores, createAccountEraser } from '../../services/auth/index.ts'
import { type Backups, keptUntil } from '../../services/backups/index.ts'
import { cronPersonStore } from '../../services/cron/index.ts'
import { flagsPersonStores } from '../../services/flags/index.ts'
import { inboxPersonStore } from '../../services/inbox/index.ts'
import { issuesPersonStores } from '../../services/issues/index.ts'
import { netPersonStores } from '../../services/net/index.ts'
import { notesPersonStore } from '../../services/notes/index.ts'
import { type Operators, operatorsPersonStores } from '../../services/operators/index.ts'
import { otlpPersonStores } from '../../services/otlp/index.ts'
import { createErasures, type ErasuresDeps, erasuresService } from '../../services/privacy/index.ts'
import { queuesPersonStore } from '../../services/queues/index.ts'
import { messagesPersonStore } from '../../services/realtime/index.ts'
import { replayPersonStore } from '../../services/replay/index.ts'
import { type Retention, retentionPersonStores } from '../../services/retention/index.ts'
import { sharesPersonStore } from '../../services/shares/index.ts'
import { sqlEditorPersonStores } from '../../services/sql-editor/index.ts'
import { changesPersonStore, threadPersonStores, tracesOfPerson } from '../../services/thread/index.ts'
import type { ComposeInput } from '../instance.ts'
import type { Add, Engines, Shared } from '../shared.ts'

/** What erasures need of the services before them. */
export interface ErasuresJoinDeps {
  readonly shared: Shared
  readonly actions: Operators['actions']
  readonly analytics: Pick<Analytics, 'events'>
  /** Null where the database has no tables of storage. */
  readonly files: PersonStore | null
  /** Null where none are made. */
  readonly backups: Backups | null
  readonly retention: Pick<Retention, 'holdsOn'>
}

/** The change worker may be behind by a bulk load; after this the erasure goes on, and its search says what is left. */
const longestBehindMs = 60_000

/**
 * Every store that keeps what a person did, in the order in which they are erased.
 *
 * @param spools the folder of all spools
 */
export const personStores = (
  { postgres, clickhouse }: Pick<Engines, 'postgres' | 'clickhouse'>,
  files: PersonStore | null,
  spools: string,
): readonly PersonStore[] => {
  const { admin: sql, owner } = postgres
  const engines = { sql, clickhouse }
  return [
    // By the requests whose traces they are, which go next.
    ...otlpPersonStores({ clickhouse, tracesOf: tracesOfPerson }),
    ...threadPersonStores(engines),
    ...analyticsPersonStores(engines),
    replayPersonStore(clickhouse),
    ...issuesPersonStores(engines),
    ...flagsPersonStores(sql),
    ...(files === null ? [] : [files]),
    inboxPersonStore(sql),
    ...netPersonStores(sql),
    queuesPersonStore(owner),
    messagesPersonStore(owner),
    cronPersonStore(owner),
    ...retentionPersonStores(engines),
    ...sqlEditorPersonStores(sql),
    sharesPersonStore(sql),
    notesPersonStore(sql),
    ...authPersonStores(postgres.auth),
    ...operatorsPersonStores(sql),
    refusedPersonStore(spools),
    // Last: what was deleted before is in it by then.
    changesPersonStore(clickhouse),
  ]
}

/** Erasures of people in every store, and exports of what is kept of them. */
export function addErasures(
  add: Add,
  { settings, keys, folders }: Pick<ComposeInput, 'settings' | 'keys' | 'folders'>,
  engines: Engines,
  { shared, actions, analytics, files, backups, retention }: ErasuresJoinDeps,
): void {
  const { admin: sql, owner, reader } = engines.postgres
  const certificateKeys = ofEachRoot(keys.roots, ({ secret }) => certificateKeyOf(secret))
  const people: ErasuresDeps['people'] = {
    find: (by) => findKnownPerson(sql, by),
    sessionIds: async (ids, limit) =>
      (await analytics.events.sessionsByDistinctId(ids, limit)).map(({ sessionId }) => sessionId),
    refuse: (ids) => refuseIds(sql, ids),
  }
  const erasures = createErasures({
    ...shared,
    stores: personStores(engines, files, folders.spools),
    account: createAccountEraser({ owner, reader }),
    holdsOn: retention.holdsOn,
    people,
    async backups() {
      const ids = backups === null ? [] : (await backups.state()).backups.map(({ id }) => id)
      return { count: ids.length, until: keptUntil(ids, settings.backup) }
    },
    changesCaughtUp: (signal) => changesCaughtUp(sql, { limitMs: longestBehindMs, signal }),
    key: () => currentOf(certificateKeys()).value,
    publicKeys: () =>
      [...certificateKeys().map(({ value }) => value), ...keys.retiredCertificateKeys].map(
        ({ publicKey }) => publicKey,
      ),
  })
  add(erasuresService(erasures, actions, shared.newId))
}
