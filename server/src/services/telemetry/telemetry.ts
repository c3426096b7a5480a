import { type Drain, openDrain, postLines } from '../../engines/drain/index.ts'
import type { Log } from '../../ground/model/log.ts'
import type { RequestRecord } from '../../ground/model/request.ts'
import type { TelemetrySettings } from './settings.ts'
import { isChosen, placeInTrace, spansOf } from './spans.ts'

export interface TelemetryDeps {
  readonly settings: TelemetrySettings
  /** The version of the process, which made the spans. */
  readonly version: string
  /** Makes a UUID. */
  readonly newId: () => string
  /** Milliseconds that requests wait for others; a second where nothing is said. */
  readonly lingerMs?: number
  readonly log: Log
}

/** Requests and statements on their way to a collector of OpenTelemetry. */
export interface Telemetry {
  /** Sends a finished request with its statements, where it is sampled. Never waits, never throws. */
  requestEnded(record: RequestRecord): void
  /** Requests since the start whose spans the collector did not take. */
  dropped(): number
  close(): Promise<void>
}

const mib = 1024 ** 2

/** Sends nothing where the settings name no collector. */
export function createTelemetry(deps: TelemetryDeps): Telemetry {
  const { settings, newId } = deps
  const drain = settings.endpoint === null ? null : openSpans(deps, settings.endpoint)
  const newSpanId = (): string => newId().replaceAll('-', '').slice(16)
  return {
    requestEnded(record) {
      if (drain === null) return
      const place = placeInTrace(record.context)
      if (!(place.isSampled ?? isChosen(place.traceId, settings.samplePercentage))) return
      const spans = spansOf(record, place, newSpanId)
      drain.write(spans.map((span) => JSON.stringify(span)).join(','))
    },
    dropped: () => drain?.dropped() ?? 0,
    close: async () => drain?.close(),
  }
}

function openSpans({ settings, version, lingerMs, log }: TelemetryDeps, endpoint: string): Drain {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: settings.serviceName } }] }
  const scope = { name: 'clew', version }
  const [before = '', after = ''] = JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [] }] }],
  }).split(/(?<="spans":\[)/)
  return openDrain({
    send: postLines({
      url: () => `${endpoint}/v1/traces`,
      headers: () => settings.headers,
      contentType: 'application/json',
      render: (requests) => `${before}${requests.join(',')}${after}`,
      timeoutMs: settings.timeoutSeconds * 1000,
    }),
    batchLines: settings.batchRequests,
    queueBytes: settings.queueMib * mib,
    ...(lingerMs === undefined ? {} : { lingerMs }),
    changed(cause) {
      if (cause === null) log.info({}, 'telemetry: spans are sent again')
      else log.warn({ err: cause }, 'telemetry: spans cannot be sent; they are tried again, and wait')
    },
  })
}
