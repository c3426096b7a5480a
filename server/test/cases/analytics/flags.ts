import { type AnalyticsCase, type Call, type ProjectFlag, refusal } from './case.ts'

const all = { groups: [{}] }
const ab = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}

const formFlags: readonly ProjectFlag[] = [
  { key: 'form-on', filters: { ...all, payloads: { true: '{"hello":"you"}' } }, description: 'For all' },
  { key: 'form-out', filters: { groups: [{ rollout_percentage: 0 }] } },
  { key: 'form-colour', filters: { groups: [{ variant: 'b' }], multivariate: ab, payloads: { b: '"blue"' } } },
  { key: 'form-inactive', filters: all, active: false },
  { key: 'form-server', filters: all, runtime: 'server' },
  { key: 'form-client', filters: all, runtime: 'client' },
  { key: 'form-inside', filters: all, contexts: ['staff'] },
]
const keys = ['form-on', 'form-out', 'form-colour']
const body = { token: '~T', distinct_id: '~ada', flag_keys: keys }

const call = (request: string, more: Partial<Call> = {}): Call => ({ request: `POST ${request}`, body, ...more })
const form = (words: string, request: string, more: Partial<Call>): AnalyticsCase => ({
  rule: `5.1 ${words}`,
  calls: [call(request, more)],
})

const values = { 'form-on': true, 'form-out': false, 'form-colour': 'b' }
const payloads = { 'form-on': '{"hello":"you"}', 'form-colour': '"blue"' }
const config = { supportedCompression: ['gzip', 'gzip-js'], hasFeatureFlags: true }
const described = {
  flags: {
    'form-on': {
      ...{ key: 'form-on', enabled: true },
      reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
      metadata: { version: 1, description: 'For all', payload: '{"hello":"you"}', has_experiment: false },
    },
    'form-out': {
      ...{ key: 'form-out', enabled: false, reason: { code: 'out_of_rollout_bound', condition_index: 0 } },
      metadata: { version: 1, description: null, payload: null },
    },
    'form-colour': { enabled: true, variant: 'b', metadata: { payload: '"blue"' } },
  },
  errorsWhileComputingFlags: false,
}

const forms: readonly AnalyticsCase[] = [
  {
    rule: '5.1 /flags?v=2 tells each flag with its reason, version and payload',
    calls: [call('/flags/?v=2', { holds: described, answer: { 'content-type': 'application/json; charset=utf-8' } })],
    flags: formFlags,
  },
  form('/decide?v=4 tells the same, with the configuration', '/decide/?v=4', { holds: { ...described, ...config } }),
  form('/flags?v=2&config=true has the configuration', '/flags/?v=2&config=true', {
    holds: { ...described, ...config },
  }),
  ...['/flags/?v=1', '/flags/', '/decide/?v=3'].map((path) =>
    form(`${path} tells values and payloads`, path, {
      members: { featureFlags: values, featureFlagPayloads: payloads, errorsWhileComputingFlags: false },
    }),
  ),
  form('/decide?v=3 has the configuration', '/decide/?v=3', { holds: config }),
  form('/decide?v=2 tells those that are on', '/decide/?v=2', {
    members: { featureFlags: { 'form-on': true, 'form-colour': 'b' }, featureFlagPayloads: payloads },
  }),
  ...['/decide/', '/decide/?v=1'].map((path) =>
    form(`${path} lists the keys of those that are on`, path, {
      members: { featureFlags: ['form-colour', 'form-on'] },
    }),
  ),
  ...(['gzip', 'base64 form', 'json form', 'gzip header', 'base64'] as const).map((packing) =>
    form(`a call in ${packing}`, '/flags/?v=2', { form: packing, holds: described }),
  ),
  form('a call by api_key', '/flags/?v=2', { body: { ...body, token: undefined, api_key: '~T' }, holds: described }),
  form('a call by the token of the address', '/flags/?v=2&token=~T', {
    ...{ body: { ...body, token: undefined }, holds: described },
  }),
]

/** Flags that a call does not get, or gets by their keys only. */
const listed = (words: string, more: object, flags: readonly string[]): AnalyticsCase => ({
  rule: `5.1 ${words}`,
  calls: [
    call('/flags/', {
      body: { ...body, flag_keys: formFlags.map(({ key }) => key), ...more },
      members: { featureFlags: Object.fromEntries(flags.map((key) => [key, true])) },
    }),
  ],
})

const rest = ['form-server', 'form-client', 'form-inside']
const lists: readonly AnalyticsCase[] = [
  listed('flag_keys limits the answer', { flag_keys: ['form-on'] }, ['form-on']),
  listed('an unknown key is left out', { flag_keys: ['form-on', 'nothing'] }, ['form-on']),
  listed('no keys, no flags', { flag_keys: [] }, []),
  listed('disable_flags leaves all out', { disable_flags: true }, []),
  listed('evaluation_runtime server leaves out those of clients', { flag_keys: rest, evaluation_runtime: 'server' }, [
    ...['form-server', 'form-inside'],
  ]),
  listed('evaluation_runtime client leaves out those of servers', { flag_keys: rest, evaluation_runtime: 'client' }, [
    ...['form-client', 'form-inside'],
  ]),
  listed('another runtime leaves out none', { flag_keys: rest, evaluation_runtime: 'x' }, rest),
  listed('evaluation_contexts leave out those of others', { flag_keys: rest, evaluation_contexts: ['shop'] }, [
    ...['form-server', 'form-client'],
  ]),
  listed('evaluation_contexts let in their own', { flag_keys: rest, evaluation_contexts: ['shop', 'staff'] }, rest),
  {
    rule: '5.1 a flag that is off for all is told by its key, as flag_disabled',
    calls: [
      call('/flags/?v=2', {
        body: { ...body, flag_keys: ['form-inactive'] },
        holds: { flags: { 'form-inactive': { enabled: false, reason: { code: 'flag_disabled' } } } },
      }),
    ],
  },
  ...[{ groups: 7 }, { person_properties: [] }, { group_properties: { company: 3 } }, { $anon_distinct_id: {} }].map(
    (odd) =>
      form(`${JSON.stringify(odd)} says nothing`, '/flags/?v=2', { body: { ...body, ...odd }, holds: described }),
  ),
]

const refused = (words: string, sent: unknown, status: number, code: string, type?: string): AnalyticsCase => ({
  rule: `5.1 ${words}`,
  calls: ['/flags/?v=2', '/decide/?v=3'].map((path) => call(path, { body: sent, status, holds: refusal(code, type) })),
})

const refusals: readonly AnalyticsCase[] = [
  refused('no distinct id', { token: '~T' }, 400, 'CLEW_INGEST_NO_DISTINCT_ID'),
  refused('no token', { distinct_id: '~ada' }, 401, 'CLEW_INGEST_TOKEN', 'authentication_error'),
  refused('an unknown token', { ...body, token: 'phc_other' }, 401, 'CLEW_INGEST_TOKEN', 'authentication_error'),
  refused('a body that is no JSON', 'hello', 400, 'CLEW_INGEST_JSON'),
]

const features = { groups: [], feature_enrollment: true, payloads: { true: '{"video":1}' } }
const early: readonly AnalyticsCase[] = [
  {
    rule: '5.1 early access: features in beta are listed',
    calls: [
      {
        request: 'GET /api/early_access_features/?token=~T',
        holds: {
          earlyAccessFeatures: [
            {
              ...{ name: 'Beta', description: 'Try it', stage: 'beta', documentationUrl: null },
              ...{ flagKey: 'early-beta', payload: { video: 1 } },
            },
          ],
        },
      },
    ],
    flags: [
      {
        ...{ key: 'early-beta', filters: features, description: 'Try it' },
        earlyAccess: { name: 'Beta', stage: 'beta', documentationUrl: null },
      },
      {
        ...{ key: 'early-idea', filters: features },
        earlyAccess: { name: 'Idea', stage: 'concept', documentationUrl: 'https://a.test' },
      },
    ],
  },
  {
    rule: '5.1 early access: features of the stages that are asked for are listed',
    calls: [
      {
        request: 'GET /api/early_access_features/?token=~T&stage=concept&stage=beta',
        holds: { earlyAccessFeatures: [{ name: 'Beta' }, { name: 'Idea', documentationUrl: 'https://a.test' }] },
      },
    ],
  },
  {
    rule: '5.1 early access: who has switched it on gets it',
    calls: [
      call('/flags/?v=2', {
        body: {
          ...{ ...body, flag_keys: ['early-idea', 'early-beta'] },
          person_properties: { '$feature_enrollment/early-idea': true },
        },
        holds: {
          flags: {
            'early-idea': { enabled: true, reason: { code: 'super_condition_value' } },
            'early-beta': { enabled: false },
          },
        },
      }),
    ],
  },
]

const secret = { authorization: 'Bearer ~K' }
const definitions = 'GET /flags/definitions?token=~T&send_cohorts'
const needsSecret = { status: 401, holds: refusal('CLEW_INGEST_SECRET_KEY', 'authentication_error') }
const local: readonly AnalyticsCase[] = [
  {
    rule: '5.3 definitions hold group types and cohorts',
    calls: [
      {
        ...{ request: definitions, headers: secret },
        holds: {
          group_type_mapping: { 0: 'company' },
          cohorts: { 1: { type: 'OR', values: [{ key: 'plan' }, { type: 'AND' }] } },
        },
      },
    ],
  },
  ...['/flags/definitions', '/api/feature_flag/local_evaluation'].map((path) => ({
    rule: `5.3 ${path} that have not changed are not sent again`,
    calls: [
      { request: `GET ${path}?token=~T&send_cohorts`, headers: secret },
      {
        request: `GET ${path}?token=~T&send_cohorts`,
        headers: { ...secret, 'if-none-match': '~E' },
        status: 304,
        text: '',
      },
    ],
  })),
  ...['/flags/definitions?token=~T', '/api/feature_flag/local_evaluation?token=~T'].flatMap((path) => [
    {
      rule: `5.3 ${path.replace('~T', 'T')} without a key`,
      calls: [{ request: `GET ${path}`, ...needsSecret }],
    },
    {
      rule: `5.3 ${path.replace('~T', 'T')} with the public token`,
      calls: [{ request: `GET ${path}`, headers: { authorization: 'Bearer ~T' }, ...needsSecret }],
    },
  ]),
  ...['remote_config', 'remote_config/'].map((path) => ({
    rule: `5.3 ${path} answers a flag’s payload`,
    calls: [
      {
        request: `GET /api/projects/@current/feature_flags/form-on/${path}?token=~T`,
        ...{ headers: secret, json: { hello: 'you' } },
      },
    ],
  })),
  {
    rule: '5.3 remote_config of a flag without a payload is null',
    calls: [
      {
        request: 'GET /api/projects/@current/feature_flags/form-out/remote_config?token=~T',
        ...{ headers: secret, text: 'null' },
      },
    ],
  },
  {
    rule: '5.3 remote_config of an unknown flag',
    calls: [
      {
        request: 'GET /api/projects/@current/feature_flags/nothing/remote_config?token=~T',
        ...{ headers: secret, status: 404, holds: refusal('CLEW_INGEST_NOT_FOUND') },
      },
    ],
  },
  {
    rule: '5.3 remote_config without a key',
    calls: [{ request: 'GET /api/projects/@current/feature_flags/form-on/remote_config?token=~T', ...needsSecret }],
  },
]

/** Calls for flags, and their answers (analytics §5). */
export const flags: readonly AnalyticsCase[] = [...forms, ...lists, ...refusals, ...early, ...local]
