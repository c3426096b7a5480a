import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { RequestRecord } from '../ground/model/request.ts'
import { createDurations } from './durations.ts'

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
  const durations = createDurations()
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
      durations.observe(service, work.method, status, durationMs),
    text: async () => `${await registry.metrics()}\n${durations.text()}`,
    contentType: registry.contentType,
  }
}
