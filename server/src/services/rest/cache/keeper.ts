import type { Sql } from '../../../engines/postgres/index.ts'
import { restError } from '../errors.ts'
import { reasonOf } from '../reason.ts'
import type { RestSettings } from '../settings.ts'
import { buildSchemaCache } from './build.ts'
import { createBurst, type Why } from './burst.ts'
import { type Catalogue, catalogueStatement } from './catalogue.ts'
import { createListening, type Listen } from './listening.ts'
import type { SchemaCache } from './schema-cache.ts'

export interface Log {
  warn(line: string): void
  /** What an operator may want to know although nothing is wrong. */
  info?(line: string): void
}

export interface KeeperDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Listen
  /** As they are now: they may be read anew while this lives. */
  readonly settings: () => RestSettings
  /** Reads the settings anew, before the schema is. */
  readonly configure: (why: Why) => Promise<void>
  /** Who requests log in as; null for whoever `sql` asks as. */
  readonly loginRole: string | null
  /** Told when the schema was read anew because somebody said that it has changed. */
  readonly onReload: () => void
  readonly now: () => Date
  readonly log: Log
}

/** How often the cache was loaded, and how long it took last. */
export interface CacheLoads {
  readonly succeeded: number
  readonly failed: number
  readonly lastSeconds: number
}

/** Keeps the schema cache: the old one is served while a new one is loaded. */
export interface CacheKeeper {
  /** The cache as it is; null before the first was loaded. */
  loaded(): SchemaCache | null
  /** The same, waited for. @throws PGRST002 when there has never been one */
  current(): Promise<SchemaCache>
  /** A cache whose loading began after this call, so that it holds whatever was committed before. */
  fresh(): Promise<SchemaCache>
  /** The same, with the settings read anew. */
  reload(why: Why): Promise<SchemaCache>
  /**
   * Whether the last load succeeded, none runs that somebody asked for, and, where it is listened at all, nothing can be
   * missed. A load for a name that a request did not find is no reason to send requests elsewhere.
   */
  ready(): boolean
  loads(): CacheLoads
  close(): Promise<void>
}

const debounceMs = 100
const firstPauseMs = 1_000
const longestPauseMs = 32_000

/** Reads the schema once. @param before what was read the last time: less is to be read where a view is as it was */
export async function readSchemaCache(
  database: Pick<Sql, 'query'>,
  settings: Pick<RestSettings, 'schemas' | 'extraSearchPath' | 'hoistedTxSettings'>,
  loginRole: string | null,
  now: Date,
  before: SchemaCache | null = null,
): Promise<SchemaCache> {
  const { schemas, extraSearchPath, hoistedTxSettings: hoistedSettings } = settings
  const known = before?.knownViews ?? new Map()
  const question = { schemas, extraSearchPath, hoistedSettings, loginRole, knownViews: [...known.keys()] }
  const { rows } = await database.query<{ document: string }>(catalogueStatement(question))
  // The statement's own JSON, in the shape it was written for.
  const catalogue = JSON.parse(rows[0]?.document ?? '{}') as Catalogue
  return buildSchemaCache(catalogue, schemas, now, known)
}

/** Loads the schema cache, and again whenever the channel says so. A load that fails is tried again, ever less often. */
export async function createCacheKeeper(deps: KeeperDeps): Promise<CacheKeeper> {
  const { settings, sql, now, log } = deps
  let cache: SchemaCache | null = null
  let running: Promise<SchemaCache> | null = null
  let next: Promise<SchemaCache> | null = null
  let nextWhy: Why | null = null
  let retry: NodeJS.Timeout | null = null
  let pauseMs = firstPauseMs
  let closed = false
  let failing = false
  let reloading = false
  let loads: CacheLoads = { succeeded: 0, failed: 0, lastSeconds: 0 }

  const announce = ({ relations, functions }: SchemaCache, tookMs: number): void => {
    deps.onReload()
    const found = `${relations.size} relations, ${functions.size} functions`
    log.info?.(`Schema cache loaded in ${tookMs.toFixed(1)} milliseconds: ${found}`)
  }

  const load = async (why: Why | null): Promise<SchemaCache> => {
    if (why !== null) await deps.configure(why)
    const startedAt = performance.now()
    cache = await readSchemaCache(sql, settings(), deps.loginRole, now(), cache)
    const tookMs = performance.now() - startedAt
    loads = { ...loads, succeeded: loads.succeeded + 1, lastSeconds: tookMs / 1000 }
    // One that somebody's unknown name has asked for is no news.
    if (why !== null) announce(cache, tookMs)
    return cache
  }

  const succeeded = (): void => {
    failing = false
    pauseMs = firstPauseMs
    if (retry !== null) clearTimeout(retry)
    retry = null
  }

  const failed = (error: unknown): void => {
    failing = true
    loads = { ...loads, failed: loads.failed + 1 }
    if (closed) return
    const kept = cache === null ? 'there is none yet' : 'the old one stays'
    log.warn(`The schema cache could not be loaded, ${kept}: ${reasonOf(error)}`)
    if (retry !== null) return
    retry = setTimeout(() => {
      retry = null
      again('schema')
    }, pauseMs)
    retry.unref()
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  const start = (why: Why | null): Promise<SchemaCache> => {
    reloading = why !== null
    const loading = load(why)
      .then(
        (loaded) => {
          succeeded()
          return loaded
        },
        (error: unknown) => {
          failed(error)
          throw error
        },
      )
      .finally(() => {
        running = null
        reloading = false
      })
    running = loading
    return loading
  }

  // One load runs and at most one waits: whoever asks meanwhile shares the one that waits.
  const request = (why: Why | null): Promise<SchemaCache> => {
    if (running === null && next === null) return start(why)
    nextWhy = nextWhy === 'config' ? nextWhy : (why ?? nextWhy)
    if (next !== null) return next
    next = (running ?? Promise.resolve(null))
      .catch(() => null)
      .then(() => {
        const asked = nextWhy
        next = null
        nextWhy = null
        return start(asked)
      })
    return next
  }

  const again = (why: Why): void => {
    if (closed) return
    // A failure has said so itself.
    request(why)
      .then(() => listening.follow())
      .catch(() => undefined)
  }

  const burst = createBurst((why) => again(why), debounceMs)
  const notified = (payload: string): void => {
    if (payload !== '' && payload !== 'reload schema' && payload !== 'reload config') return
    const why = payload === 'reload schema' ? 'schema' : 'config'
    const what = why === 'schema' ? 'schema cache' : 'config'
    log.info?.(`Received a ${what} reload message on the "${settings().channel ?? ''}" channel`)
    burst.notified(why)
  }

  const listening = createListening(deps, notified, () => again('schema'))
  await listening.follow()
  // Whoever listens has begun to load as soon as it could.
  if (running === null && cache === null) again('schema')
  await (running as Promise<SchemaCache> | null)?.catch(() => undefined)

  return {
    async current() {
      if (cache !== null) return cache
      return (running ?? request('schema')).catch((cause: unknown) => {
        throw restError('PGRST002', { cause })
      })
    },
    fresh: () => request(null),
    async reload(why) {
      const loaded = await request(why)
      await listening.follow()
      return loaded
    },
    loaded: () => cache,
    ready: () => cache !== null && !failing && !reloading && listening.connected(),
    loads: () => loads,
    async close() {
      closed = true
      burst.stop()
      if (retry !== null) clearTimeout(retry)
      await listening.stop()
      await (next ?? running)?.catch(() => undefined)
    },
  }
}
