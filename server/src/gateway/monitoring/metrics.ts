import type { FastifyPluginAsync } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge as PrometheusGauge, Registry } from 'prom-client'
import { equalInConstantTime } from '../../ground/ids/constant-time.ts'
import type { RequestRecord } from '../../ground/model/request.ts'
import { gatewayError } from '../errors.ts'
import { bearerOf } from '../request/caller.ts'
import { createDurations } from './durations.ts'

/**
 * A number that each scrape reads. Those of one name are added up. One whose name ends in `_total` only grows: a counter.
 *
 * @see https://prometheus.io/docs/practices/naming/
 */
export interface Gauge {
  readonly name: string
  readonly help: string
  readonly read: () => number
}

/** The metrics of the process. */
export interface Metrics {
  readonly requestEnded: (record: RequestRecord) => void
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** The process's numbers in Prometheus' text format. */
export function createMetrics(gauges: readonly Gauge[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = createDurations()
  for (const name of new Set(gauges.map((gauge) => gauge.name))) {
    const summands = gauges.filter((gauge) => gauge.name === name)
    const sum = (): number => summands.reduce((total, { read }) => total + read(), 0)
    const about = { name, help: summands[0]?.help ?? '', registers: [registry] }
    if (name.endsWith('_total'))
      new Counter({
        ...about,
        collect() {
          this.reset()
          this.inc(sum())
        },
      })
    else
      new PrometheusGauge({
        ...about,
        collect() {
          this.set(sum())
        },
      })
  }
  return {
    requestEnded: ({ service, context, status, durationMs }) =>
      durations.observe(service, context.method, status, durationMs),
    text: async () => `${await registry.metrics()}\n${durations.text()}`,
    contentType: registry.contentType,
  }
}

/** `/metrics`, behind a bearer token; without a token every call is refused. */
export function metricsPlugin(metrics: Metrics, token: () => string | null): FastifyPluginAsync {
  return async (app) => {
    app.get('/metrics', async (request, reply) => {
      const bearer = bearerOf(request.headers.authorization ?? null)
      const expected = token()
      if (expected === null || bearer === null || !equalInConstantTime(bearer, expected))
        throw gatewayError('CLEW_GATEWAY_METRICS_TOKEN', { headers: { 'www-authenticate': 'Bearer' } })
      return reply
        .type(metrics.contentType)
        .header('cache-control', 'no-store')
        .send(await metrics.text())
    })
  }
}
