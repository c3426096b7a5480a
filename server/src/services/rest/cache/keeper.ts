import type { Sql } from '../../../engines/postgres/index.ts'
import { restError } from '../errors.ts'
import type { RestSettings } from '../settings.ts'
import { buildSchemaCache } from './build.ts'
import { type Catalogue, catalogueStatement } from './catalogue.ts'
import type { SchemaCache } from './schema-cache.ts'

export type Listen = (
  channel: string,
  onNotify: (payload: string) => void,
  onConnect?: () => void,
) => Promise<() => Promise<void>>

export interface Log {
  warn(line: string): void
}

export interface KeeperDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Listen
  readonly settings: RestSettings
  readonly now: () => Date
  readonly log: Log
}

/** Keeps the schema cache: the old one is served while a new one is loaded. */
export interface CacheKeeper {
  /** The cache as it is; null before the first was loaded. */
  loaded(): SchemaCache | null
  /** The same, waited for. @throws PGRST002 when there has never been one */
  current(): Promise<SchemaCache>
  /** A cache whose loading began after this call, so that it holds whatever was committed before. */
  fresh(): Promise<SchemaCache>
  close(): Promise<void>
}

const debounceMs = 100

/** Loads the schema cache, and again whenever the channel says so. */
export async function createCacheKeeper(deps: KeeperDeps): Promise<CacheKeeper> {
  const { settings, sql, now, log } = deps
  const statement = catalogueStatement({
    schemas: settings.schemas,
    extraSearchPath: settings.extra_search_path,
    hoistedSettings: settings.hoisted_tx_settings,
  })
  let cache: SchemaCache | null = null
  let running: Promise<SchemaCache> | null = null
  let next: Promise<SchemaCache> | null = null
  let timer: NodeJS.Timeout | null = null
  let closed = false

  const load = async (): Promise<SchemaCache> => {
    const { rows } = await sql.query<{ document: string }>(statement)
    // The statement's own JSON, in the shape it was written for.
    const catalogue = JSON.parse(rows[0]?.document ?? '{}') as Catalogue
    cache = buildSchemaCache(catalogue, settings.schemas, now())
    return cache
  }

  const start = (): Promise<SchemaCache> => {
    const loading = load().finally(() => {
      running = null
    })
    running = loading
    return loading
  }

  // One load runs and at most one waits: whoever asks meanwhile shares the one that waits.
  const fresh = (): Promise<SchemaCache> => {
    if (next !== null) return next
    if (running === null) return start()
    next = running
      .catch(() => null)
      .then(() => {
        next = null
        return start()
      })
    return next
  }

  const reload = (): void => {
    if (closed) return
    fresh().catch((error: unknown) =>
      log.warn(`The schema cache could not be reloaded, the old one stays: ${String(error)}`),
    )
  }

  // At once, and once more when a burst has ended, since the last change of it may have come too late.
  const notified = (payload: string): void => {
    if (payload !== '' && payload !== 'reload schema' && payload !== 'reload config') return
    if (timer === null) reload()
    else clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      reload()
    }, debounceMs)
    timer.unref()
  }

  const stopListening =
    settings.channel === null ? async () => undefined : await deps.listen(settings.channel, notified, reload)

  return {
    async current() {
      if (cache !== null) return cache
      return (running ?? fresh()).catch((cause: unknown) => {
        throw restError('PGRST002', { cause })
      })
    },
    fresh,
    loaded: () => cache,
    async close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await stopListening()
      await (next ?? running)?.catch(() => undefined)
    },
  }
}
