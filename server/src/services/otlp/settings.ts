import Type from 'typebox'
import { setting, type Values } from '../../ground/settings/setting.ts'

const MiB = 1024 * 1024

/** What is taken of spans and logs of the team's own servers, and for how long it is kept. */
export const otlpSettings = {
  enabled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether spans and logs of your own servers are taken (OTLP over HTTP).',
  }),
  rootPaths: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether they are taken at `/v1/traces` and `/v1/logs`, besides `/otlp/v1/…`; false where the application has these paths.',
  }),
  publishableKey: setting(Type.Boolean(), {
    default: false,
    description:
      'Whether the publishable key may send them, as from browsers; anybody can then write spans and logs that look like those of your servers.',
  }),
  retentionDays: setting(Type.Integer({ minimum: 1, maximum: 90 }), {
    default: 7,
    description: 'Days for which spans and logs are kept; what is older when it arrives is rejected.',
  }),
  maxBodyBytes: setting(Type.Integer({ minimum: 1024, maximum: 64 * MiB }), {
    limit: true,
    default: 16 * MiB,
    description: 'Largest body of spans or logs, after decompression, in bytes.',
  }),
  maxBatchRecords: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 20_000,
    description: 'Most spans, or log records, of one request.',
  }),
  maxAttributes: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 128,
    description:
      'Attributes of a span, an event of a span, a log record or a resource; further ones are left out and counted.',
  }),
  maxAttributeBytes: setting(Type.Integer({ minimum: 64, maximum: MiB }), {
    limit: true,
    default: 4096,
    description: 'Bytes of an attribute’s value; a longer text is cut, any other value left out and counted.',
  }),
  maxEvents: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 32,
    description: 'Events of a span, such as exceptions; further ones are left out and counted.',
  }),
  maxTextBytes: setting(Type.Integer({ minimum: 256, maximum: MiB }), {
    limit: true,
    default: 16 * 1024,
    description: 'Bytes of a log record’s text, of a span’s name and of what its status says; a longer one is cut.',
  }),
  secretAttributes: setting(Type.Array(Type.String()), {
    default: [
      '*authorization*',
      '*cookie*',
      '*password*',
      '*passwd*',
      '*passphrase*',
      '*secret*',
      '*api_key*',
      '*api-key*',
      '*apikey*',
      '*access_token*',
      '*refresh_token*',
      '*id_token*',
      '*auth_token*',
      '*.token',
      'token',
      '*credential*',
      '*private_key*',
    ],
    description: 'Attributes whose values are never kept: names, * for any letters.',
  }),
  shownRecords: setting(Type.Integer({ minimum: 10, maximum: 100_000 }), {
    limit: true,
    default: 1000,
    description: 'Most spans, and as many log records, that are shown of a request or a session.',
  }),
  retryAfterSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 5,
    description: 'What `Retry-After` says when there is no room, in seconds.',
  }),
} as const

/** The values of `otlpSettings`. */
export type OtlpSettings = Values<typeof otlpSettings>
