import {
  choice,
  flag,
  integer,
  list,
  optionalInteger,
  optionalText,
  type Values,
} from '../../ground/settings/setting.ts'

/** The settings of the REST service, under the reference server's names where it has them. */
export const restSettings = {
  schemas: list({
    default: ['public'],
    about: 'The schemas that the API shows; the first one is used when a request names none.',
  }),
  extra_search_path: list({
    default: ['public', 'extensions'],
    about: "Schemas searched after the request's own, for functions and types that are not shown.",
  }),
  anon_role: optionalText({
    default: 'anon',
    about: 'The role whose permission errors answer 401 instead of 403.',
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
  tx_end: choice({
    default: 'commit',
    words: ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'],
    about: 'How transactions end, and whether Prefer: tx may say otherwise.',
  }),
  hoisted_tx_settings: list({
    default: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
    about: 'Settings of a function that apply to the whole transaction that calls it.',
  }),
  channel: optionalText({
    default: 'pgrst',
    about: 'The channel on which NOTIFY reloads the schema cache; nothing to listen on none.',
  }),
  cors_allowed_origins: list({
    default: [],
    about: 'The origins that browsers may call from, with credentials; empty for any, without.',
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
  body_limit_bytes: integer({
    default: 64 * 1024 * 1024,
    min: 1024,
    max: 1024 * 1024 * 1024,
    about: 'The largest request body that is read.',
  }),
} as const

export type RestSettings = Values<typeof restSettings>
