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
  extra_search_path: list({
    default: ['public', 'extensions'],
    about: "Schemas searched after the request's own, for functions and types that are not shown.",
  }),
  anon_role: optionalText({
    default: 'anon',
    about:
      'The role of calls without a token, whose permission errors answer 401 instead of 403; without it they are refused.',
  }),
  max_rows: optionalInteger({
    default: null,
    min: 0,
    max: 2_147_483_647,
    about: 'The most rows that an answer, or an embed in it, may have; nothing for no limit.',
  }),
  aggregates_enabled: flag({
    default: false,
    about: 'Whether select may use sum, avg, min, max and count.',
  }),
  plan_enabled: flag({
    default: false,
    about: 'Whether the execution plan of a request may be asked for.',
  }),
  pre_request: optionalText({
    default: null,
    about: 'A function (schema.name) that runs in each transaction before the statement; it may refuse the request.',
  }),
  root_spec: optionalText({
    default: null,
    about: 'A function that answers at the root instead of the OpenAPI description.',
  }),
  tx_end: choice({
    default: 'commit',
    words: ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
    about: 'How transactions end, and whether Prefer: tx may say otherwise.',
  }),
  hoisted_tx_settings: list({
    default: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
    about: 'Settings of a function that apply to the whole transaction that calls it.',
  }),
  app_settings: texts({
    default: {},
    about: 'What statements read with current_setting(app.settings.NAME), by NAME.',
  }),
  prepared_statements: flag({
    default: true,
    about: 'Whether connections keep prepared statements; not behind a pooler that shares them by transaction.',
  }),
  channel: optionalText({
    default: 'pgrst',
    about: 'The channel on which NOTIFY reloads the schema cache and the settings; nothing to listen on none.',
  }),
  channel_enabled: flag({ default: true, about: 'Whether the channel is listened on.' }),
  config: flag({
    default: true,
    about: 'Whether settings of the connecting role (alter role authenticator set pgrst.…) win over all others.',
  }),
  pre_config: optionalText({
    default: null,
    about: 'A function (schema.name) that sets pgrst.… settings when the configuration is read.',
  }),
  pool_size: optionalInteger({
    default: null,
    min: 1,
    max: 500,
    about: 'Connections for requests; nothing for the pool_size of the process.',
  }),
  pool_acquisition_timeout: integer({
    default: 10,
    min: 1,
    max: 3600,
    about: 'Seconds that a request waits for a connection before it is refused with 504.',
  }),
  pool_max_idletime: integer({
    default: 30,
    min: 0,
    max: 86_400,
    about: 'Seconds after which a connection that nobody uses is closed; 0 for never.',
  }),
  pool_max_lifetime: integer({
    default: 1800,
    min: 0,
    max: 2_000_000,
    about: 'Seconds after which a connection is replaced by a new one; 0 for never.',
  }),
  jwt_secret: optionalText({
    default: null,
    secret: true,
    about:
      'A secret of 32 characters or more, a JWK or a JWKS whose tokens are accepted, besides those of the instance’s own keys; @file reads it from a file.',
  }),
  jwt_secret_is_base64: flag({ default: false, about: 'Whether jwt_secret is written in base64.' }),
  jwt_aud: optionalTextOf({
    of: { allowed: 'a text, or an address where it has a colon', fits: isAudience },
    default: null,
    about: 'The audience that a token with an aud claim must name; nothing to accept any.',
  }),
  jwt_role_claim_key: textOf({
    of: { allowed: 'a JSON path, as $.role or $.roles[0]', fits: canParseRolePath },
    default: '$.role',
    about: 'Where in a token the role stands, as a JSON path.',
  }),
  jwt_cache_max_entries: integer({
    default: 1000,
    min: 0,
    max: 10_000_000,
    about: 'How many checked tokens are remembered, so that they are not checked again; 0 for none.',
  }),
  openapi_mode: choice({
    default: 'follow-privileges',
    words: ['follow-privileges', 'ignore-privileges', 'disabled'],
    about: 'Whether the description at the root shows what the role may use, everything, or is not answered.',
  }),
  openapi_security_active: flag({
    default: false,
    about: 'Whether the description says that tokens are sent in the Authorization header.',
  }),
  openapi_server_proxy_uri: optionalTextOf({
    of: { allowed: 'an address, http://… or https://…, without query and user', fits: isProxyAddress },
    default: null,
    about: 'The address that the description names, when the API is reached by another than its own.',
  }),
  cors_allowed_origins: list({
    default: [],
    about: 'The origins that browsers may call from, with credentials; empty for any, without.',
  }),
  trace_header: optionalText({
    default: null,
    about: 'A header of requests that is copied to their answers.',
  }),
  server_timing_enabled: flag({
    default: false,
    about: 'Whether answers tell in Server-Timing what took how long.',
  }),
  error_verbosity: choice({
    default: 'verbose',
    words: ['verbose', 'minimal'],
    about: 'Whether errors tell their details and hint.',
  }),
  legacy_target_names: flag({
    default: true,
    about: 'Whether filters may name an embed by its relation although it has an alias.',
  }),
  nesting_limit: integer({
    default: 100,
    min: 1,
    max: 300,
    about: 'How deep embeds and logic trees of a query string may nest.',
  }),
  body_limit_bytes: integer({
    default: 10 * 1024 * 1024,
    min: 1024,
    max: 1024 * 1024 * 1024,
    about: 'The largest request body that is read.',
  }),
} as const

export type RestSettings = Values<typeof restSettings>
