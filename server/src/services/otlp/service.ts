import { damagedBytesGauge } from '../../engines/spool/index.ts'
import type { OtlpKeys } from './http/keys.ts'
import { otlpPlugin } from './http/plugin.ts'
import type { Otlp } from './otlp.ts'
import type { Signal } from './wire/model.ts'

const signals: readonly Signal[] = ['traces', 'logs']

/** What takes spans and log records of the team's own servers, at `/otlp/v1/…` and where exporters look by themselves. */
export const otlpService = (otlp: Otlp, keys: OtlpKeys) => ({
  mounts: (otlp.settings.rootPaths ? ['/otlp/v1', '/v1'] : ['/otlp/v1']).flatMap((prefix) =>
    signals.map((signal) => ({
      ...{ prefix: `${prefix}/${signal}`, service: null, needsKey: () => false },
      plugin: otlpPlugin(otlp, keys, signal),
    })),
  ),
  gauges: [
    {
      name: 'clew_otlp_taken_total',
      help: 'Spans and log records of your own servers that were taken since the start',
      read: () => otlp.counts().taken,
    },
    {
      name: 'clew_otlp_rejected_total',
      help: 'Spans and log records of your own servers that were rejected since the start',
      read: () => otlp.counts().rejected,
    },
    {
      name: 'clew_otlp_waiting_bytes',
      help: 'Spans and log records of your own servers that are durable but not stored yet',
      read: () => otlp.waiting().bytes,
    },
    {
      name: 'clew_otlp_lag_seconds',
      help: 'How long the oldest span or log record that is not stored yet has waited',
      read: () => otlp.waiting().lagMs / 1000,
    },
    damagedBytesGauge(() => otlp.waiting().damagedBytes),
  ],
  health: otlp.health,
  close: otlp.close,
})
