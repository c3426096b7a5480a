import Fastify, { type FastifyInstance } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'

/** The state of the service, for its admin server. */
export interface Watched {
  /** Whether it accepts requests. */
  readonly isLive: () => boolean
  /** Whether it has a schema cache and reaches the database. */
  readonly isReady: () => boolean
  /** The schema cache as JSON; empty when there is none. */
  readonly schemaCache: () => string
  readonly gauges: () => Gauges
}

export interface Gauges {
  readonly poolMax: number
  readonly poolAvailable: number
  readonly poolWaiting: number
  readonly poolTimeouts: number
  readonly loadsSucceeded: number
  readonly loadsFailed: number
  readonly lastLoadSeconds: number
}

function createRegistry({ gauges }: Watched): Registry {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, read: (now: Gauges) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read(gauges()))
      },
    })
  }
  gauge('pgrst_db_pool_max', 'Max pool connections', ({ poolMax }) => poolMax)
  gauge('pgrst_db_pool_available', 'Available connections in the pool', ({ poolAvailable }) => poolAvailable)
  gauge('pgrst_db_pool_waiting', 'Requests waiting to acquire a pool connection', ({ poolWaiting }) => poolWaiting)
  gauge(
    'pgrst_schema_cache_query_time_seconds',
    'The query time in seconds of the last schema cache load',
    ({ lastLoadSeconds }) => lastLoadSeconds,
  )
  new Counter({
    name: 'pgrst_db_pool_timeouts_total',
    help: 'The total number of pool connection timeouts',
    registers,
    collect() {
      this.reset()
      this.inc(gauges().poolTimeouts)
    },
  })
  new Counter({
    name: 'pgrst_schema_cache_loads_total',
    help: 'The total number of times the schema cache was loaded',
    labelNames: ['status'],
    registers,
    collect() {
      const { loadsSucceeded, loadsFailed } = gauges()
      this.reset()
      if (loadsSucceeded > 0) this.inc({ status: 'SUCCESS' }, loadsSucceeded)
      if (loadsFailed > 0) this.inc({ status: 'FAIL' }, loadsFailed)
    },
  })
  return registry
}

/** The admin server: `/live`, `/ready`, `/metrics`, `/schema_cache` (rest §18). */
export function createAdmin(watched: Watched): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true })
  const registry = createRegistry(watched)
  const { isLive, isReady, schemaCache } = watched
  app.get('/live', (_request, reply) => reply.code(isLive() ? 200 : 500).send())
  app.get('/ready', (_request, reply) => reply.code(isReady() ? (isLive() ? 200 : 500) : 503).send())
  app.get('/schema_cache', (_request, reply) => reply.send(schemaCache()))
  app.get('/metrics', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(await registry.metrics()))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send())
  return app
}
