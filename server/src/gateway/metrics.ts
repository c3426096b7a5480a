import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RequestRecord } from '../ground/model/request.ts'

/** A number read when somebody asks for the metrics. */
export interface Gauged {
  readonly name: string
  readonly help: string
  readonly read: () => number
}

export interface Metrics {
  readonly requestEnded: (record: RequestRecord) => void
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** The process's numbers in Prometheus' text format. */
export function createMetrics(gauges: readonly Gauged[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'clew_request_duration_seconds',
    help: 'Time from a request’s arrival to the end of its answer',
    labelNames: ['service', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  for (const { name, help, read } of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  return {
    requestEnded: ({ service, work, status, durationMs }) =>
      duration.labels(service, work.method, `${Math.floor(status / 100)}xx`).observe(durationMs / 1000),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
