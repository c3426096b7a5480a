import {
  choice,
  flag,
  integer,
  list,
  optionalInteger,
  optionalText,
  optionalTextOf,
  textOf,
  texts,
  type Values,
} from '../../ground/settings/setting.ts'
import { isAudience, isProxyAddress } from './config/addresses.ts'
import { canParseRolePath } from './identity/role-path.ts'

const hidden = ['pg_catalog', 'information_schema']

/** The settings of the REST service; the names the reference server has for them are in `config/names.ts`. */
export const restSettings = {
  schemas: list({
    of: { allowed: 'schemas, except pg_catalog and information_schema', fits: (name) => !hidden.includes(name) },
    default: ['public'],
    about: 'The schemas that the API shows; the first one is used when a request names none.',
  }),
  extraSearchPath: list({
    default: ['public', 'extensions'],
    about: "Schemas searched after the request's own, for functions and types that are not shown.",
  }),
  anonRole: optionalText({
    default: 'anon',
    about:
      'The role of calls without a token, whose permission errors answer 401 instead of 403; without it they are refused.',
  }),
  maxRows: optionalInteger({
    default: null,
    min: 0,
    max: 2_147_483_647,
    about: 'The most rows that an answer, or an embed in it, may have; nothing for no limit.',
  }),
  aggregatesEnabled: flag({
    default: false,
    about: 'Whether select may use sum, avg, min, max and count.',
  }),
  planEnabled: flag({
    default: false,
    about: 'Whether the execution plan of a request may be asked for.',
  }),
  preRequest: optionalText({
    default: null,
    about: 'A function (schema.name) that runs in each transaction before the statement; it may refuse the request.',
  }),
  rootSpec: optionalText({
    default: null,
    about: 'A function that answers at the root instead of the OpenAPI description.',
  }),
  txEnd: choice({
    default: 'commit',
    words: ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
    about: 'How transactions end, and whether Prefer: tx may say otherwise.',
  }),
  hoistedTxSettings: list({
    default: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
    about: 'Settings of a function that apply to the whole transaction that calls it.',
  }),
  appSettings: texts({
    default: {},
    about: 'What statements read with current_setting(app.settings.NAME), by NAME.',
  }),
  preparedStatements: flag({
    default: true,
    about: 'Whether connections keep prepared statements; not behind a pooler that shares them by transaction.',
  }),
  channel: optionalText({
    default: 'pgrst',
    about: 'The channel on which NOTIFY reloads the schema cache and the settings; nothing to listen on none.',
  }),
  channelEnabled: flag({ default: true, about: 'Whether the channel is listened on.' }),
  config: flag({
    default: true,
    about: 'Whether settings of the connecting role (alter role authenticator set pgrst.…) win over all others.',
  }),
  preConfig: optionalText({
    default: null,
    about: 'A function (schema.name) that sets pgrst.… settings when the configuration is read.',
  }),
  poolSize: optionalInteger({
    default: null,
    min: 1,
    max: 500,
    about: 'Connections for requests; nothing for the pool_size of the process.',
  }),
  poolAcquisitionTimeout: integer({
    default: 10,
    min: 1,
    max: 3600,
    about: 'Seconds that a request waits for a connection before it is refused with 504.',
  }),
  poolMaxIdletime: integer({
    default: 30,
    min: 0,
    max: 86_400,
    about: 'Seconds after which a connection that nobody uses is closed; 0 for never.',
  }),
  poolMaxLifetime: integer({
    default: 1800,
    min: 0,
    max: 2_000_000,
    about: 'Seconds after which a connection is replaced by a new one; 0 for never.',
  }),
  jwtSecret: optionalText({
    default: null,
    secret: true,
    about:
      'A secret of 32 characters or more, a JWK or a JWKS whose tokens are accepted, besides those of the instance’s own keys; @file reads it from a file.',
  }),
  jwtSecretIsBase64: flag({ default: false, about: 'Whether jwt_secret is written in base64.' }),
  jwtAud: optionalTextOf({
    of: { allowed: 'a text, or an address where it has a colon', fits: isAudience },
    default: null,
    about: 'The audience that a token with an aud claim must name; nothing to accept any.',
  }),
  jwtRoleClaimKey: textOf({
    of: { allowed: 'a JSON path, as $.role or $.roles[0]', fits: canParseRolePath },
    default: '$.role',
    about: 'Where in a token the role stands, as a JSON path.',
  }),
  jwtCacheMaxEntries: integer({
    default: 1000,
    min: 0,
    max: 10_000_000,
    about: 'How many checked tokens are remembered, so that they are not checked again; 0 for none.',
  }),
  openapiMode: choice({
    default: 'follow-privileges',
    words: ['follow-privileges', 'ignore-privileges', 'disabled'],
    about: 'Whether the description at the root shows what the role may use, everything, or is not answered.',
  }),
  openapiSecurityActive: flag({
    default: false,
    about: 'Whether the description says that tokens are sent in the Authorization header.',
  }),
  openapiServerProxyUri: optionalTextOf({
    of: { allowed: 'an address, http://… or https://…, without query and user', fits: isProxyAddress },
    default: null,
    about: 'The address that the description names, when the API is reached by another than its own.',
  }),
  corsAllowedOrigins: list({
    default: [],
    about: 'The origins that browsers may call from, with credentials; empty for any, without.',
  }),
  traceHeader: optionalText({
    default: null,
    about: 'A header of requests that is copied to their answers.',
  }),
  serverTimingEnabled: flag({
    default: false,
    about: 'Whether answers tell in Server-Timing what took how long.',
  }),
  errorVerbosity: choice({
    default: 'verbose',
    words: ['verbose', 'minimal'],
    about: 'Whether errors tell their details and hint.',
  }),
  legacyTargetNames: flag({
    default: true,
    about: 'Whether filters may name an embed by its relation although it has an alias.',
  }),
  nestingLimit: integer({
    default: 100,
    min: 1,
    max: 300,
    about: 'How deep embeds and logic trees of a query string may nest.',
  }),
  maxBodyBytes: integer({
    default: 10 * 1024 * 1024,
    min: 1024,
    max: 1024 * 1024 * 1024,
    about: 'The largest request body that is read.',
  }),
} as const

/** The values of `restSettings`. */
export type RestSettings = Values<typeof restSettings>
