import Type from 'typebox'
import { matching, nullable, setting, type Values } from '../../ground/settings/setting.ts'
import { captureSettings } from './capture-settings/settings.ts'
import { heatmapSettings } from './heatmaps/settings.ts'
import { vitalSettings } from './vitals/settings.ts'

const MiB = 1024 * 1024

/** First parts of paths that other services, the console and health checks have. */
const taken = /^\/(?:rest|rest-admin|auth|storage|functions|realtime|graphql|health|console|inbox)(?:\/|$)/

const prefix = matching({
  allowed: 'a path of one to four names, as /ingest, whose first is no service’s',
  fits: (text) => /^(?:\/[A-Za-z0-9_-]{1,60}){1,4}$/.test(text) && !taken.test(text),
})

/** Names behind the prefix that clients ask for. */
const answered = /^\/(?:static|array|api|flags|decide|consent|i|batch|capture|track|engage)$/

const endpoint = (other: string) =>
  matching({
    allowed: `a path of one name, as ${other === '/s/' ? '/e/' : '/s/'}, that posthog-js does not ask for anything else`,
    fits: (text) => /^\/[A-Za-z0-9_-]{1,60}\/$/.test(text) && !answered.test(text.slice(0, -1)) && text !== other,
  })

/** The settings of capture and its remote configuration. */
export const analyticsSettings = {
  maxBodyBytes: setting(Type.Integer({ minimum: 1024, maximum: 64 * MiB }), {
    limit: true,
    default: 20 * MiB,
    description: 'Largest body with events, after decompression, in bytes.',
  }),
  maxBatchEvents: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 20_000,
    description: 'Most events of one request.',
  }),
  maxEventBytes: setting(Type.Integer({ minimum: 1024, maximum: 16 * MiB }), {
    limit: true,
    default: MiB,
    description: 'Largest single event as JSON, in bytes; larger ones are left out of their batch.',
  }),
  maxRecordingBodyBytes: setting(Type.Integer({ minimum: 1024, maximum: 64 * MiB }), {
    limit: true,
    default: 25 * MiB,
    description: 'Largest body with recordings, after decompression, in bytes.',
  }),
  maxFlagsBodyBytes: setting(Type.Integer({ minimum: 1024, maximum: 16 * MiB }), {
    limit: true,
    default: MiB,
    description: 'Largest body of a request for flags, after decompression, in bytes.',
  }),
  rememberedDistinctIds: setting(Type.Integer({ minimum: 1000, maximum: 10_000_000 }), {
    limit: true,
    default: 100_000,
    description: 'Distinct ids that are remembered to have a person, so that their next event asks no database.',
  }),
  rememberedUserLinks: setting(Type.Integer({ minimum: 1000, maximum: 10_000_000 }), {
    limit: true,
    default: 20_000,
    description: 'Links of a distinct id to a user that are remembered, so that their next call asks no database.',
  }),
  lastSeenSeconds: setting(Type.Integer({ minimum: 0, maximum: 3600 }), {
    default: 60,
    description:
      'How much later an event of a person must be than the last that was noted, in seconds, to change their place in the list of people.',
  }),
  exceptionsPerSession: setting(Type.Integer({ minimum: 10, maximum: 100_000 }), {
    limit: true,
    default: 500,
    description:
      'Exceptions of one session that are compared with the errors of its recorded console; further ones are only counted.',
  }),
  propertyColumns: setting(Type.Integer({ minimum: 0, maximum: 100 }), {
    limit: true,
    default: 10,
    description:
      'Properties of events that have a column of their own in ClickHouse, so that filters and experiments read it and not all properties; those that are asked for most. 0: none.',
  }),
  propertyColumnUses: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    default: 20,
    description: 'How often a property must be asked for within `property_column_days` to have a column.',
  }),
  propertyColumnDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 30,
    description: 'The column of a property that was not asked for in so many days is dropped.',
  }),
  retryAfterSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 5,
    description: 'What `Retry-After` says when the spool is full, in seconds.',
  }),
  ...captureSettings,
  ...heatmapSettings,
  ...vitalSettings,
  path: setting(prefix, {
    default: '/ingest',
    description:
      'Where analytics is served, as `api_host` of posthog-js names it behind the address: a name of your own is on no list of ad blockers. `/ingest` is served besides.',
  }),
  eventsPath: setting(endpoint('/s/'), {
    default: '/e/',
    description:
      'The path behind it that browsers are told to send events to. `/e/` is served besides: what a page captures before it has its configuration goes there.',
  }),
  recordingsPath: setting(endpoint('/e/'), {
    default: '/s/',
    description: 'The path behind it that browsers are told to send recordings to. `/s/` is served besides.',
  }),
  addresses: setting(Type.Enum(['drop', 'shorten', 'keep']), {
    default: 'drop',
    description:
      'What is kept of an address that an event names in `$ip`: nothing, its first 24 bits (IPv6: 48), or all of it. The address that a request comes from is never a property.',
  }),
  geoDatabase: setting(nullable(Type.String()), {
    default: null,
    description:
      'A file in MaxMind’s format (MMDB) with cities or countries, relative to the project folder, by which events and persons have the place of their address; a file that replaces it is read within a minute. Without one no place is derived.',
  }),
  consent: setting(Type.Enum(['not_required', 'required']), {
    default: 'not_required',
    description:
      'Whether events, recordings and the tie of requests to a session are stored of visitors who did not answer (`not_required`), or of those only who consented (`required`).',
  }),
  consentMetadata: setting(nullable(Type.String({ minLength: 1, maxLength: 200 })), {
    default: null,
    description:
      'The key of a user’s metadata (`options.data` of sign-up, `updateUser`) under which the application keeps their answer, true or false: it counts as their consent, or their withdrawal.',
  }),
} as const

/** The values of `analyticsSettings`. */
export type AnalyticsSettings = Values<typeof analyticsSettings>
