import type { Sql } from '../../../engines/postgres/index.ts'
import { restError } from '../errors.ts'
import type { LineLog } from '../log.ts'
import { reasonOf } from '../reason.ts'
import type { RestSettings } from '../settings.ts'
import { createDebounce, parseNotification, type ReloadScope } from './debounce.ts'
import { createListening, type Listen } from './listening.ts'
import { createLoadQueue, type LoadedCache } from './load-queue.ts'
import { isLoadStateReady, type LoadCounts, type LoadReason } from './load-state.ts'
import { readSchemaCache } from './read-schema-cache.ts'
import type { SchemaCache } from './schema-cache.ts'

export interface SchemaCacheLoaderDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Listen
  /** The settings of now: a reload may replace them. */
  readonly settings: () => RestSettings
  /** Reads the settings anew, before the schema is read. */
  readonly reloadSettings: (scope: ReloadScope) => Promise<void>
  /** The role that requests log in as; null for the role of `sql`. */
  readonly loginRole: string | null
  /** Called after each reload; not after a lookup. */
  readonly onReload: () => void
  readonly now: () => Date
  readonly log: LineLog
}

/** Loads the schema cache. The last one is served while the next is loaded, and stays when that fails. */
export interface SchemaCacheLoader {
  /** The cache of now; null before the first was loaded. */
  loaded(): SchemaCache | null
  /** The cache of now, or the first as soon as it is loaded. @throws PGRST002 when it cannot be loaded */
  current(): Promise<SchemaCache>
  /** A cache whose loading began after this call, so that it holds everything that was committed before. */
  fresh(): Promise<SchemaCache>
  /** A fresh cache, with the settings read anew. */
  reload(scope: ReloadScope): Promise<SchemaCache>
  /** Whether the last load succeeded, no reload runs, and no notification can be missed. */
  ready(): boolean
  loads(): LoadCounts
  close(): Promise<void>
}

const debounceMs = 100

function loadedLine({ relations, functions }: SchemaCache, tookMs: number): string {
  return `Schema cache loaded in ${tookMs.toFixed(1)} milliseconds: ${relations.size} relations, ${functions.size} functions`
}

const reloadLine = (scope: ReloadScope, channel: string | null): string =>
  `Received a ${scope === 'schema' ? 'schema cache' : 'config'} reload message on the "${channel ?? ''}" channel`

const failedLine = (error: unknown, cache: SchemaCache | null): string =>
  `The schema cache could not be loaded, ${cache === null ? 'there is none yet' : 'the old one stays'}: ${reasonOf(error)}`

async function load(deps: SchemaCacheLoaderDeps, reason: LoadReason, before: SchemaCache | null): Promise<LoadedCache> {
  if (reason !== 'lookup') await deps.reloadSettings(reason)
  const startedAt = performance.now()
  const cache = await readSchemaCache(deps.sql, deps.settings(), deps.loginRole, deps.now(), before)
  const tookMs = performance.now() - startedAt
  if (reason !== 'lookup') {
    deps.onReload()
    deps.log.info?.(loadedLine(cache, tookMs))
  }
  return { cache, tookMs }
}

/** Loads the cache and listens for reloads. A failed first load is tried again; until then requests throw PGRST002. */
export async function createSchemaCacheLoader(deps: SchemaCacheLoaderDeps): Promise<SchemaCacheLoader> {
  const { settings, log } = deps
  const queue = createLoadQueue({
    load: (reason, before) => load(deps, reason, before),
    onFailure: (error, cache) => log.warn(failedLine(error, cache)),
    onRetryDue: () => reloadSoon('schema'),
  })

  const reload = async (scope: ReloadScope): Promise<SchemaCache> => {
    const loaded = await queue.request(scope)
    await listening.follow()
    return loaded
  }

  const reloadSoon = (scope: ReloadScope): void => {
    if (queue.state().closed) return
    // The queue has logged a failure.
    reload(scope).catch(() => undefined)
  }

  const debounce = createDebounce(reloadSoon, debounceMs)
  const onNotify = (payload: string): void => {
    const scope = parseNotification(payload)
    if (scope === null) return
    log.info?.(reloadLine(scope, settings().channel))
    debounce.notified(scope)
  }

  const listening = createListening(deps, onNotify, () => reloadSoon('schema'))
  await listening.follow()
  // A connection that listens has started the first load already.
  if (queue.running() === null && queue.state().cache === null) reloadSoon('schema')
  await queue.running()?.catch(() => undefined)

  return {
    async current() {
      const { cache } = queue.state()
      if (cache !== null) return cache
      return (queue.running() ?? queue.request('schema')).catch((cause: unknown) => {
        throw restError('PGRST002', { cause })
      })
    },
    fresh: () => queue.request('lookup'),
    reload,
    loaded: () => queue.state().cache,
    ready: () => isLoadStateReady(queue.state()) && listening.connected(),
    loads: () => queue.state().counts,
    async close() {
      debounce.stop()
      const closed = queue.close()
      await listening.stop()
      await closed
    },
  }
}
