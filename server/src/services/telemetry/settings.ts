import Type from 'typebox'
import { address, nullable, setting, text, texts, type Values } from '../../ground/settings/setting.ts'

/** Where requests and statements leave to as spans of OpenTelemetry. */
export const telemetrySettings = {
  endpoint: setting(nullable(address(['https', 'http'])), {
    default: null,
    description:
      'A collector of OpenTelemetry, without `/v1/traces`: each request and its statements are posted there as spans (OTLP, JSON).',
  }),
  headers: setting(texts, {
    default: {},
    secret: true,
    description: 'Headers of these posts, such as `Authorization`.',
  }),
  serviceName: setting(text, { default: 'clew', description: 'What the instance is called there (`service.name`).' }),
  samplePercentage: setting(Type.Integer({ minimum: 0, maximum: 100 }), {
    default: 100,
    description: 'Share of traces that leave; of a request with a `traceparent` of its caller, its flag decides.',
  }),
  batchRequests: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 200,
    description: 'Requests of one post.',
  }),
  queueMib: setting(Type.Integer({ minimum: 1, maximum: 1024 }), {
    limit: true,
    default: 16,
    description: 'MiB of spans that wait for a collector that takes none; further ones are dropped and counted.',
  }),
  timeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    limit: true,
    default: 10,
    description: 'Seconds that a post may take.',
  }),
} as const

/** The values of `telemetrySettings`. */
export type TelemetrySettings = Values<typeof telemetrySettings>
