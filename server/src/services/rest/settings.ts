import Type from 'typebox'
import { matching, nullable, setting, texts, type Values } from '../../ground/settings/setting.ts'
import { isAudience, isProxyAddress } from './setting-values/addresses.ts'
import { canParseRolePath } from './setting-values/role-path.ts'

const hidden = ['pg_catalog', 'information_schema']

/** The settings of the REST service; the names the reference server has for them are in `config/names.ts`. */
export const restSettings = {
  enabled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether /rest/v1 is served; it answers 501 where not.',
  }),
  schemas: setting(
    Type.Array(
      matching({
        allowed: 'schemas, except pg_catalog and information_schema',
        fits: (name) => !hidden.includes(name),
      }),
    ),
    {
      default: ['public'],
      description: 'The schemas that the API shows; the first one is used when a request names none.',
    },
  ),
  extraSearchPath: setting(Type.Array(Type.String()), {
    default: ['public', 'extensions'],
    description: "Schemas searched after the request's own, for functions and types that are not shown.",
  }),
  anonRole: setting(nullable(Type.String()), {
    default: 'anon',
    description:
      'The role of calls without a token, whose permission errors answer 401 instead of 403; without it they are refused.',
  }),
  maxRows: setting(nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })), {
    limit: true,
    default: null,
    description: 'The most rows that an answer, or an embed in it, may have; nothing for no limit.',
  }),
  aggregatesEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether select may use sum, avg, min, max and count.',
  }),
  planEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether the execution plan of a request may be asked for.',
  }),
  preRequest: setting(nullable(Type.String()), {
    default: null,
    description:
      'A function (schema.name) that runs in each transaction before the statement; it may refuse the request.',
  }),
  rootSpec: setting(nullable(Type.String()), {
    default: null,
    description: 'A function that answers at the root instead of the OpenAPI description.',
  }),
  txEnd: setting(Type.Enum(['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override']), {
    default: 'commit',
    description: 'How transactions end, and whether Prefer: tx may say otherwise.',
  }),
  hoistedTxSettings: setting(Type.Array(Type.String()), {
    default: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
    description: 'Settings of a function that apply to the whole transaction that calls it.',
  }),
  appSettings: setting(texts, {
    default: {},
    description: 'Values that statements read with current_setting(app.settings.NAME), by NAME.',
  }),
  preparedStatements: setting(Type.Boolean(), {
    default: true,
    description: 'Whether connections keep prepared statements; not behind a pooler that shares them by transaction.',
  }),
  channel: setting(nullable(Type.String()), {
    default: 'pgrst',
    description: 'The channel on which NOTIFY reloads the schema cache and the settings; nothing to listen on none.',
  }),
  channelEnabled: setting(Type.Boolean(), { default: true, description: 'Whether the channel is listened on.' }),
  config: setting(Type.Boolean(), {
    default: true,
    description: 'Whether settings of the connecting role (alter role authenticator set pgrst.…) win over all others.',
  }),
  preConfig: setting(nullable(Type.String()), {
    default: null,
    description: 'A function (schema.name) that sets pgrst.… settings when the configuration is read.',
  }),
  poolSize: setting(nullable(Type.Integer({ minimum: 1, maximum: 500 })), {
    limit: true,
    default: null,
    description: 'Connections for requests; nothing for the pool_size of the process.',
  }),
  poolAcquisitionTimeout: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    unit: 's',
    default: 10,
    description: 'Seconds that a request waits for a connection before it is refused with 504.',
  }),
  poolMaxIdletime: setting(Type.Integer({ minimum: 0, maximum: 86_400 }), {
    limit: true,
    unit: 's',
    default: 30,
    description: 'Seconds after which an unused connection is closed; 0 for never.',
  }),
  poolMaxLifetime: setting(Type.Integer({ minimum: 0, maximum: 2_000_000 }), {
    limit: true,
    unit: 's',
    default: 1800,
    description: 'Seconds after which a connection is replaced by a new one; 0 for never.',
  }),
  jwtSecret: setting(nullable(Type.String()), {
    default: null,
    secret: true,
    description:
      'A secret of 32 characters or more, a JWK or a JWKS whose tokens are accepted, besides those of the instance’s own keys; @file reads it from a file.',
  }),
  jwtSecretIsBase64: setting(Type.Boolean(), {
    default: false,
    description: 'Whether jwt_secret is written in base64.',
  }),
  jwtAud: setting(nullable(matching({ allowed: 'a text, or an address where it has a colon', fits: isAudience })), {
    default: null,
    description: 'The audience that a token with an aud claim must name; nothing to accept any.',
  }),
  jwtRoleClaimKey: setting(matching({ allowed: 'a JSON path, as $.role or $.roles[0]', fits: canParseRolePath }), {
    default: '$.role',
    description: 'Where in a token the role stands, as a JSON path.',
  }),
  jwtCacheMaxEntries: setting(Type.Integer({ minimum: 0, maximum: 10_000_000 }), {
    limit: true,
    default: 1000,
    description: 'How many tokens with a good signature are remembered, so that it is not checked again; 0 for none.',
  }),
  openapiMode: setting(Type.Enum(['follow-privileges', 'ignore-privileges', 'disabled']), {
    default: 'follow-privileges',
    description: 'Whether the description at the root shows what the role may use, everything, or is not answered.',
  }),
  openapiSecurityActive: setting(Type.Boolean(), {
    default: false,
    description: 'Whether the description says that tokens are sent in the Authorization header.',
  }),
  openapiServerProxyUri: setting(
    nullable(matching({ allowed: 'an address, http://… or https://…, without query and user', fits: isProxyAddress })),
    {
      default: null,
      description: 'The address that the description names, when the API is reached by another than its own.',
    },
  ),
  corsAllowedOrigins: setting(Type.Array(Type.String()), {
    default: [],
    description: 'The origins that browsers may call from, with credentials; empty for any, without.',
  }),
  traceHeader: setting(nullable(Type.String()), {
    default: null,
    description: 'A header of requests that is copied to their answers.',
  }),
  serverTimingEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether responses name the durations of their parts in Server-Timing.',
  }),
  errorVerbosity: setting(Type.Enum(['verbose', 'minimal']), {
    default: 'verbose',
    description: 'Whether errors have their details and hint.',
  }),
  legacyTargetNames: setting(Type.Boolean(), {
    default: true,
    description: 'Whether filters may name an embed by its relation although it has an alias.',
  }),
  nestingLimit: setting(Type.Integer({ minimum: 1, maximum: 300 }), {
    limit: true,
    default: 100,
    description: 'How deep embeds and logic trees of a query string may nest.',
  }),
  embedsLimit: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 300,
    description:
      'How many embeds a select may have; each costs up to 0.1 ms before the statement runs, and a join in it.',
  }),
  templateCacheMaxEntries: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 500,
    description:
      'How many statements are remembered for requests that differ only in values; more than the screens of an ' +
      'application have, and some ten kilobytes each.',
  }),
  queryPartsLimit: setting(Type.Integer({ minimum: 100, maximum: 100_000 }), {
    limit: true,
    default: 2000,
    description:
      'How many parts a query string may have: selected columns and embeds, conditions, order terms and names together. The values of a list are not counted.',
  }),
  explainedRows: setting(Type.Integer({ minimum: 1, maximum: 200 }), {
    limit: true,
    default: 20,
    description: 'How many rows of a table the console looks at one by one when it explains an answer.',
  }),
  changeTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: 30,
    description: 'How long a statement may take that changes rows from the console’s table editor.',
  }),
  importMaxBytes: setting(Type.Integer({ minimum: 1024, maximum: 4 * 1024 * 1024 * 1024 }), {
    limit: true,
    default: 256 * 1024 * 1024,
    description: 'How many bytes of rows the console’s table editor imports at once.',
  }),
  maxBodyBytes: setting(Type.Integer({ minimum: 1024, maximum: 1024 * 1024 * 1024 }), {
    limit: true,
    default: 10 * 1024 * 1024,
    description: 'The largest request body that is read.',
  }),
} as const

/** The values of `restSettings`. */
export type RestSettings = Values<typeof restSettings>
