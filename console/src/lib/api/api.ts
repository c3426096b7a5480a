import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from './client.ts'
import type { Values } from './schemas.ts'
import { sharesApi } from './shares.ts'
import { teamApi } from './team.ts'

/**
 * The requests of the console. Each takes a signal and is cancelled when its screen is left.
 *
 * @throws ApiError for an error response, and with status 0 when nothing answers
 */
export const api = {
  ...sharesApi,
  ...teamApi,
  setup: (options?: Cancel) => bodyOf(client.GET('/console/api/setup', cancel(options))),
  claim: (body: BodyOf<'claimSetup'>) => bodyOf(client.POST('/console/api/setup', { body })),
  operator: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/session', cancel(options)))).operator,
  signIn: (body: BodyOf<'signIn'>) => bodyOf(client.POST('/console/api/session', { body })),
  signInWithFactor: async (body: BodyOf<'signInWithFactor'>) =>
    (await bodyOf(client.POST('/console/api/session/factor', { body }))).operator,
  signOut: () => bodyOf(client.DELETE('/console/api/session')),
  access: (options?: Cancel) => bodyOf(client.GET('/console/api/access', cancel(options))),
  endSession: (id: string) => bodyOf(client.DELETE('/console/api/access/sessions/{id}', { params: { path: { id } } })),
  endOtherSessions: () => bodyOf(client.DELETE('/console/api/access/sessions')),
  askForProof: () => bodyOf(client.POST('/console/api/access/proof/options')),
  prove: (body: BodyOf<'prove'>) => bodyOf(client.POST('/console/api/access/proof', { body })),
  beginTotp: () => bodyOf(client.POST('/console/api/access/totp')),
  confirmTotp: (code: string) => bodyOf(client.POST('/console/api/access/totp/confirm', { body: { code } })),
  removeTotp: () => bodyOf(client.DELETE('/console/api/access/totp')),
  beginPasskey: () => bodyOf(client.POST('/console/api/access/passkeys/options')),
  addPasskey: (body: BodyOf<'addPasskey'>) => bodyOf(client.POST('/console/api/access/passkeys', { body })),
  renamePasskey: (id: string, name: string) =>
    bodyOf(client.PATCH('/console/api/access/passkeys/{id}', { params: { path: { id } }, body: { name } })),
  removePasskey: (id: string) =>
    bodyOf(client.DELETE('/console/api/access/passkeys/{id}', { params: { path: { id } } })),
  renewRecoveryCodes: () => bodyOf(client.POST('/console/api/access/recovery-codes')),
  accessTokens: (options?: Cancel) => bodyOf(client.GET('/console/api/access/tokens', cancel(options))),
  createAccessToken: (body: BodyOf<'createAccessToken'>) => bodyOf(client.POST('/console/api/access/tokens', { body })),
  revokeAccessToken: (id: string) =>
    bodyOf(client.DELETE('/console/api/access/tokens/{id}', { params: { path: { id } } })),
  instance: (options?: Cancel) => bodyOf(client.GET('/console/api/instance', cancel(options))),
  overview: (options?: Cancel) => bodyOf(client.GET('/console/api/overview', cancel(options))),
  events: (query: QueryOf<'events'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/events', { params: { query }, ...cancel(options) })),
  eventNames: (query: QueryOf<'eventNames'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/event-names', { params: { query }, ...cancel(options) })),
  event: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/events/{id}', { params: { path: { id } }, ...cancel(options) })),
  people: (query: QueryOf<'people'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people', { params: { query }, ...cancel(options) })),
  person: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people/{id}', { params: { path: { id } }, ...cancel(options) })),
  splitPerson: (id: string, distinctIds: readonly string[]) =>
    bodyOf(
      client.POST('/console/api/people/{id}/split', {
        params: { path: { id } },
        body: { distinctIds: [...distinctIds] },
      }),
    ),
  previewErasure: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people/{id}/erasure', { params: { path: { id } }, ...cancel(options) })),
  erasePerson: (id: string, body: BodyOf<'erasePerson'>) =>
    bodyOf(client.POST('/console/api/people/{id}/erase', { params: { path: { id } }, body })),
  erasure: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/privacy/erasures/{id}', { params: { path: { id } }, ...cancel(options) })),
  personLine: (id: string, query: QueryOf<'personLine'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people/{id}/line', { params: { path: { id }, query }, ...cancel(options) })),
  personFlags: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people/{id}/flags', { params: { path: { id } }, ...cancel(options) })),
  errors: (query: QueryOf<'errors'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/errors', { params: { query }, ...cancel(options) })),
  error: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/errors/{id}', { params: { path: { id } }, ...cancel(options) })),
  errorExceptions: (id: string, query: QueryOf<'errorExceptions'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/errors/{id}/exceptions', { params: { path: { id }, query }, ...cancel(options) })),
  errorException: (id: string, exception: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/errors/{id}/exceptions/{exception}', {
        params: { path: { id, exception } },
        ...cancel(options),
      }),
    ),
  changeError: (id: string, body: BodyOf<'changeError'>) =>
    bodyOf(client.PATCH('/console/api/errors/{id}', { params: { path: { id } }, body })),
  mergeErrors: (id: string, ids: string[]) =>
    bodyOf(client.POST('/console/api/errors/{id}/merge', { params: { path: { id } }, body: { ids } })),
  errorRules: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/error-rules', cancel(options)))).rules,
  replaceErrorRules: (rules: BodyOf<'replaceErrorRules'>['rules']) =>
    bodyOf(client.PUT('/console/api/error-rules', { body: { rules } })),
  sessions: (query: QueryOf<'sessions'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/sessions', { params: { query }, ...cancel(options) })),
  session: (id: string, query: QueryOf<'session'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/sessions/{id}', { params: { path: { id }, query }, ...cancel(options) })),
  /** NDJSON: a `RecordingLine` a line. */
  recording: (id: string, query: QueryOf<'sessionRecording'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/sessions/{id}/recording', {
        params: { path: { id }, query },
        parseAs: 'text',
        ...cancel(options),
      }),
    ),
  importRecording: (file: Blob) =>
    bodyOf(
      client.POST('/console/api/recordings', {
        headers: { 'content-type': 'application/gzip' },
        // The document names no shape of it: it is bytes.
        body: file as never,
        bodySerializer: () => file,
      }),
    ),
  requests: (query: QueryOf<'requests'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/requests', { params: { query }, ...cancel(options) })),
  request: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/requests/{id}', { params: { path: { id } }, ...cancel(options) })),
  tables: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/data/tables', cancel(options)))).tables,
  previewRowChanges: async (changes: BodyOf<'saveRowChanges'>['changes'], options?: Cancel) =>
    (await bodyOf(client.POST('/console/api/data/row-changes/preview', { body: { changes }, ...cancel(options) })))
      .statements,
  revealRows: (schema: string, table: string, keys: BodyOf<'revealRows'>['keys']) =>
    bodyOf(
      client.POST('/console/api/data/{schema}/{table}/reveal', {
        params: { path: { schema, table } },
        body: { keys },
      }),
    ),
  previewUndo: (changes: BodyOf<'previewUndo'>['changes']) =>
    bodyOf(client.POST('/console/api/data/row-changes/undo', { body: { changes } })),
  saveRowChanges: (body: BodyOf<'saveRowChanges'>) => bodyOf(client.POST('/console/api/data/row-changes', { body })),
  rowDependents: (schema: string, table: string, keys: BodyOf<'rowDependents'>['keys'], options?: Cancel) =>
    bodyOf(
      client.POST('/console/api/data/{schema}/{table}/dependents', {
        params: { path: { schema, table } },
        body: { keys },
        ...cancel(options),
      }),
    ),
  rows: (schema: string, table: string, query: QueryOf<'listRows'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/data/{schema}/{table}/rows', {
        params: { path: { schema, table }, query },
        ...cancel(options),
      }),
    ),
  /** The rows that a request, or a job's run, changed. */
  changesOf: (cause: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/changes', { params: { query: { cause, limit: 200 } }, ...cancel(options) })),
  actions: (query: QueryOf<'actions'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/actions', { params: { query }, ...cancel(options) })),
  actionNames: (options?: Cancel) => bodyOf(client.GET('/console/api/actions/names', cancel(options))),
  flags: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/flags', cancel(options)))).flags,
  flag: (key: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/flags/{key}', { params: { path: { key } }, ...cancel(options) })),
  createFlag: (body: BodyOf<'createFlag'>) => bodyOf(client.POST('/console/api/flags', { body })),
  changeFlag: (key: string, body: BodyOf<'changeFlag'>) =>
    bodyOf(client.PUT('/console/api/flags/{key}', { params: { path: { key } }, body })),
  archiveFlag: (key: string) => bodyOf(client.DELETE('/console/api/flags/{key}', { params: { path: { key } } })),
  flagChanges: (key: string, query: QueryOf<'flagChanges'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/flags/{key}/changes', { params: { path: { key }, query }, ...cancel(options) })),
  estimateFlag: (key: string, body: BodyOf<'estimateFlag'>, options?: Cancel) =>
    bodyOf(client.POST('/console/api/flags/{key}/estimate', { params: { path: { key } }, body, ...cancel(options) })),
  evaluateFlag: (key: string, body: BodyOf<'evaluateFlag'>) =>
    bodyOf(client.POST('/console/api/flags/{key}/evaluate', { params: { path: { key } }, body })),
  flagOverrides: async (key: string, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/flags/{key}/overrides', { params: { path: { key } }, ...cancel(options) })))
      .overrides,
  overrideFlag: (key: string, body: BodyOf<'overrideFlag'>) =>
    bodyOf(client.PUT('/console/api/flags/{key}/overrides', { params: { path: { key } }, body })),
  groupTypes: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/groups', cancel(options)))).types,
  cohorts: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/cohorts', cancel(options)))).cohorts,
  createCohort: (body: BodyOf<'createCohort'>) => bodyOf(client.POST('/console/api/cohorts', { body })),
  changeCohort: (id: number, body: BodyOf<'changeCohort'>) =>
    bodyOf(client.PUT('/console/api/cohorts/{id}', { params: { path: { id } }, body })),
  deleteCohort: (id: number) => bodyOf(client.DELETE('/console/api/cohorts/{id}', { params: { path: { id } } })),
  estimateCohort: (body: BodyOf<'estimateCohort'>, options?: Cancel) =>
    bodyOf(client.POST('/console/api/cohorts/estimate', { body, ...cancel(options) })),
  cohortMembers: (id: number, query: QueryOf<'cohortMembers'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/cohorts/{id}/members', { params: { path: { id }, query }, ...cancel(options) })),
  addCohortMembers: (id: number, distinctIds: string[]) =>
    bodyOf(client.POST('/console/api/cohorts/{id}/members', { params: { path: { id } }, body: { distinctIds } })),
  removeCohortMembers: (id: number, distinctIds: string[]) =>
    bodyOf(
      client.POST('/console/api/cohorts/{id}/members/remove', { params: { path: { id } }, body: { distinctIds } }),
    ),
  experiments: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/experiments', cancel(options)))).experiments,
  experiment: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/experiments/{id}', { params: { path: { id } }, ...cancel(options) })),
  experimentResult: async (id: string, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/experiments/{id}/result', { params: { path: { id } }, ...cancel(options) })))
      .result,
  createExperiment: (body: BodyOf<'createExperiment'>) => bodyOf(client.POST('/console/api/experiments', { body })),
  changeExperiment: (id: string, body: BodyOf<'changeExperiment'>) =>
    bodyOf(client.PUT('/console/api/experiments/{id}', { params: { path: { id } }, body })),
  runExperiment: (id: string, running: boolean) =>
    bodyOf(client.PUT('/console/api/experiments/{id}/running', { params: { path: { id } }, body: { running } })),
  concludeExperiment: (id: string, body: BodyOf<'concludeExperiment'>) =>
    bodyOf(client.PUT('/console/api/experiments/{id}/conclusion', { params: { path: { id } }, body })),
  archiveExperiment: (id: string) =>
    bodyOf(client.DELETE('/console/api/experiments/{id}', { params: { path: { id } } })),
  surveys: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/surveys', cancel(options)))).surveys,
  survey: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/surveys/{id}', { params: { path: { id } }, ...cancel(options) })),
  createSurvey: (body: BodyOf<'createSurvey'>) => bodyOf(client.POST('/console/api/surveys', { body })),
  changeSurvey: (id: string, body: BodyOf<'changeSurvey'>) =>
    bodyOf(client.PUT('/console/api/surveys/{id}', { params: { path: { id } }, body })),
  runSurvey: (id: string, running: boolean) =>
    bodyOf(client.PUT('/console/api/surveys/{id}/running', { params: { path: { id } }, body: { running } })),
  archiveSurvey: (id: string) => bodyOf(client.DELETE('/console/api/surveys/{id}', { params: { path: { id } } })),
  surveyResults: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/surveys/{id}/results', { params: { path: { id } }, ...cancel(options) })),
  jobs: (query: QueryOf<'jobs'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/jobs', { params: { query }, ...cancel(options) })),
  job: (jobId: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/jobs/{jobId}', { params: { path: { jobId } }, ...cancel(options) })),
  changeJob: (jobId: string, body: BodyOf<'changeJob'>) =>
    bodyOf(client.PATCH('/console/api/jobs/{jobId}', { params: { path: { jobId } }, body })),
  jobRuns: (jobId: string, query: QueryOf<'jobRuns'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/jobs/{jobId}/runs', { params: { path: { jobId }, query }, ...cancel(options) })),
  runJob: (jobId: string) => bodyOf(client.POST('/console/api/jobs/{jobId}/runs', { params: { path: { jobId } } })),
  jobRun: (jobId: string, runId: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/jobs/{jobId}/runs/{runId}', { params: { path: { jobId, runId } }, ...cancel(options) }),
    ),
  realtimeChannels: (search: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/realtime/channels', { params: { query: { search } }, ...cancel(options) })),
  realtimeChannel: (query: QueryOf<'realtimeChannel'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/realtime/channel', { params: { query }, ...cancel(options) })),
  joinRealtimeChannel: (body: BodyOf<'joinRealtimeChannel'>) =>
    bodyOf(client.POST('/console/api/realtime/tickets', { body })),
  whyOfRequest: (id: string, body: BodyOf<'whyOfRequest'>, options?: Cancel) =>
    bodyOf(client.POST('/console/api/requests/{id}/why', { params: { path: { id } }, body, ...cancel(options) })),
  why: (body: BodyOf<'why'>, options?: Cancel) => bodyOf(client.POST('/console/api/why', { body, ...cancel(options) })),
  realtimePolicies: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/realtime/policies', cancel(options)))).policies,
  realtimePolicyTemplates: async (topic: string, options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/realtime/policies/templates', { params: { query: { topic } }, ...cancel(options) }),
      )
    ).templates,
  applyRealtimePolicy: (body: BodyOf<'applyRealtimePolicy'>) =>
    bodyOf(client.POST('/console/api/realtime/policies', { body })),
  dropRealtimePolicy: (name: string) =>
    bodyOf(client.DELETE('/console/api/realtime/policies/{name}', { params: { path: { name } } })),
  webhooks: (options?: Cancel) => bodyOf(client.GET('/console/api/webhooks', cancel(options))),
  webhookDeliveries: (query: QueryOf<'webhookDeliveries'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/webhooks/deliveries', { params: { query }, ...cancel(options) })),
  webhookDelivery: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/webhooks/deliveries/{id}', { params: { path: { id } }, ...cancel(options) })),
  sendWebhookAgain: (id: string) =>
    bodyOf(client.POST('/console/api/webhooks/deliveries/{id}/attempts', { params: { path: { id } } })),
  sendFailedWebhooksAgain: (body: BodyOf<'sendFailedWebhooksAgain'>) =>
    bodyOf(client.POST('/console/api/webhooks/failed/attempts', { body })),
  sqlRequests: (query: QueryOf<'sqlRequests'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/sql-requests', { params: { query }, ...cancel(options) })),
  sqlRequest: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/sql-requests/{id}', { params: { path: { id } }, ...cancel(options) })),
  backups: (options?: Cancel) => bodyOf(client.GET('/console/api/backups', cancel(options))),
  runBackup: () => bodyOf(client.POST('/console/api/backups/run')),
  migrations: (options?: Cancel) => bodyOf(client.GET('/console/api/migrations', cancel(options))),
  migration: (version: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/migrations/{version}', { params: { path: { version } }, ...cancel(options) })),
  functions: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/functions', cancel(options)))).functions,
  function: (name: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/functions/{name}', { params: { path: { name } }, ...cancel(options) })),
  functionVersions: async (name: string, options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/functions/{name}/versions', { params: { path: { name } }, ...cancel(options) }),
      )
    ).versions,
  rollBackFunction: (name: string, version: number) =>
    bodyOf(client.POST('/console/api/functions/{name}/rollback', { params: { path: { name } }, body: { version } })),
  functionFiles: async (name: string, options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/functions/{name}/files', { params: { path: { name } }, ...cancel(options) }),
      )
    ).files,
  functionFile: async (name: string, path: string, options?: Cancel): Promise<string> =>
    String(
      await bodyOf(
        client.GET('/console/api/functions/{name}/file', {
          params: { path: { name }, query: { path } },
          parseAs: 'text',
          ...cancel(options),
        }),
      ),
    ),
  saveFunctionFile: (name: string, body: BodyOf<'saveFunctionFile'>) =>
    bodyOf(client.PUT('/console/api/functions/{name}/file', { params: { path: { name } }, body })),
  invokeFunction: (name: string, body: BodyOf<'invokeFunction'>) =>
    bodyOf(client.POST('/console/api/functions/{name}/invocations', { params: { path: { name } }, body })),
  functionProcesses: (name: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/functions/{name}/processes', { params: { path: { name } }, ...cancel(options) })),
  functionTriggers: (name: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/functions/{name}/triggers', { params: { path: { name } }, ...cancel(options) })),
  functionCalls: async (query: QueryOf<'functionCalls'>, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/function-calls', { params: { query }, ...cancel(options) }))).functions,
  functionLogs: (query: QueryOf<'functionLogs'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/function-logs', { params: { query }, ...cancel(options) })),
  functionSecrets: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/function-secrets', cancel(options)))).secrets,
  setFunctionSecret: (name: string, value: string) =>
    bodyOf(client.POST('/console/api/function-secrets', { body: [{ name, value }] })),
  unsetFunctionSecret: (name: string) => bodyOf(client.DELETE('/console/api/function-secrets', { body: [name] })),
  queues: (query: QueryOf<'queues'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/queues', { params: { query }, ...cancel(options) })),
  queue: (name: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/queues/{name}', { params: { path: { name } }, ...cancel(options) })),
  replayMessage: (name: string, id: string) =>
    bodyOf(client.POST('/console/api/queues/{name}/messages/{id}/replays', { params: { path: { name, id } } })),
  replayMessages: (name: string) =>
    bodyOf(client.POST('/console/api/queues/{name}/replays', { params: { path: { name } } })),
  queueMessages: (name: string, query: QueryOf<'queueMessages'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/queues/{name}/messages', { params: { path: { name }, query }, ...cancel(options) }),
    ),
  sendMessage: (name: string, body: BodyOf<'sendMessage'>) =>
    bodyOf(client.POST('/console/api/queues/{name}/messages', { params: { path: { name } }, body })),
  purgeQueue: (name: string) =>
    bodyOf(client.DELETE('/console/api/queues/{name}/messages', { params: { path: { name } } })),
  deleteMessage: (name: string, id: string) =>
    bodyOf(client.DELETE('/console/api/queues/{name}/messages/{id}', { params: { path: { name, id } } })),
  archiveMessage: (name: string, id: string) =>
    bodyOf(client.POST('/console/api/queues/{name}/messages/{id}/archive', { params: { path: { name, id } } })),
  setMessageVisible: (name: string, id: string) =>
    bodyOf(client.POST('/console/api/queues/{name}/messages/{id}/visible', { params: { path: { name, id } } })),
  secrets: (query: QueryOf<'secrets'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/vault', { params: { query }, ...cancel(options) })),
  createSecret: (body: BodyOf<'createSecret'>) => bodyOf(client.POST('/console/api/vault', { body })),
  changeSecret: (id: string, body: BodyOf<'changeSecret'>) =>
    bodyOf(client.PATCH('/console/api/vault/{id}', { params: { path: { id } }, body })),
  deleteSecret: (id: string) => bodyOf(client.DELETE('/console/api/vault/{id}', { params: { path: { id } } })),
  revealSecret: (id: string) => bodyOf(client.POST('/console/api/vault/{id}/reveal', { params: { path: { id } } })),
  buckets: (options?: Cancel) => bodyOf(client.GET('/console/api/storage/buckets', cancel(options))),
  bucketNames: (options?: Cancel) => bodyOf(client.GET('/console/api/storage/bucket-names', cancel(options))),
  createBucket: (body: BodyOf<'createBucket'>) => bodyOf(client.POST('/console/api/storage/buckets', { body })),
  changeBucket: (bucketId: string, body: BodyOf<'changeBucket'>) =>
    bodyOf(client.PATCH('/console/api/storage/buckets/{bucketId}', { params: { path: { bucketId } }, body })),
  emptyBucket: (bucketId: string) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/empty', { params: { path: { bucketId } } })),
  removeBucket: (bucketId: string) =>
    bodyOf(client.DELETE('/console/api/storage/buckets/{bucketId}', { params: { path: { bucketId } } })),
  storageEntries: (bucketId: string, query: QueryOf<'storageEntries'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/storage/buckets/{bucketId}/entries', {
        params: { path: { bucketId }, query },
        ...cancel(options),
      }),
    ),
  storageObject: (bucketId: string, key: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/storage/buckets/{bucketId}/object', {
        params: { path: { bucketId }, query: { key } },
        ...cancel(options),
      }),
    ),
  storageObjectName: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/storage/objects/{id}', { params: { path: { id } }, ...cancel(options) })),
  signStorageObject: (bucketId: string, body: BodyOf<'signStorageObject'>) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/sign', { params: { path: { bucketId } }, body })),
  moveStorageObjects: (bucketId: string, body: BodyOf<'moveStorageObjects'>) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/move', { params: { path: { bucketId } }, body })),
  removeStorageObjects: (bucketId: string, body: BodyOf<'removeStorageObjects'>) =>
    bodyOf(client.POST('/console/api/storage/buckets/{bucketId}/remove', { params: { path: { bucketId } }, body })),
  restoreStorageObjects: (body: BodyOf<'restoreStorageObjects'>) =>
    bodyOf(client.POST('/console/api/storage/restore', { body })),
  storagePolicies: (options?: Cancel) => bodyOf(client.GET('/console/api/storage/policies', cancel(options))),
  storagePolicyTemplates: (bucketId: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/storage/policies/templates', { params: { query: { bucketId } }, ...cancel(options) }),
    ),
  applyStoragePolicy: (body: BodyOf<'applyStoragePolicy'>) =>
    bodyOf(client.POST('/console/api/storage/policies', { body })),
  dropStoragePolicy: (table: 'objects' | 'buckets', name: string) =>
    bodyOf(client.DELETE('/console/api/storage/policies/{table}/{name}', { params: { path: { table, name } } })),
  exports: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/exports', cancel(options)))).exports,
  exportRuns: (id: string, query: QueryOf<'exportRuns'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/exports/{id}/runs', { params: { path: { id }, query }, ...cancel(options) })),
  createExport: (body: BodyOf<'createExport'>) => bodyOf(client.POST('/console/api/exports', { body })),
  changeExport: (id: string, body: BodyOf<'changeExport'>) =>
    bodyOf(client.PUT('/console/api/exports/{id}', { params: { path: { id } }, body })),
  removeExport: (id: string) => bodyOf(client.DELETE('/console/api/exports/{id}', { params: { path: { id } } })),
  runExport: (id: string) => bodyOf(client.POST('/console/api/exports/{id}/runs', { params: { path: { id } } })),
  pauseExport: (id: string, paused: boolean) =>
    bodyOf(client.POST('/console/api/exports/{id}/pause', { params: { path: { id } }, body: { paused } })),
  testExportBucket: (body: BodyOf<'testExportBucket'>) => bodyOf(client.POST('/console/api/exports/test', { body })),
  runSql: (body: BodyOf<'runSql'>) => bodyOf(client.POST('/console/api/sql/runs', { body })),
  decideSql: (id: string, decision: 'commit' | 'rollback') =>
    bodyOf(client.POST(`/console/api/sql/runs/{id}/${decision}`, { params: { path: { id } } })),
  cancelSql: (id: string) => bodyOf(client.POST('/console/api/sql/runs/{id}/cancel', { params: { path: { id } } })),
  sqlRuns: async (query: QueryOf<'sqlRuns'>, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/sql/runs', { params: { query }, ...cancel(options) }))).runs,
  sqlCatalogue: (engine: QueryOf<'sqlCatalogue'>['engine'], options?: Cancel) =>
    bodyOf(client.GET('/console/api/sql/catalogue', { params: { query: { engine } }, ...cancel(options) })),
  sqlQueries: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/sql/queries', cancel(options)))).queries,
  createSqlQuery: (body: BodyOf<'createSqlQuery'>) => bodyOf(client.POST('/console/api/sql/queries', { body })),
  removeSqlQuery: (id: string) => bodyOf(client.DELETE('/console/api/sql/queries/{id}', { params: { path: { id } } })),
  users: (query: QueryOf<'users'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/users', { params: { query }, ...cancel(options) })),
  user: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/users/{id}', { params: { path: { id } }, ...cancel(options) })),
  ownedRows: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/users/{id}/owned', { params: { path: { id } }, ...cancel(options) })),
  createUser: (body: BodyOf<'createUser'>) => bodyOf(client.POST('/console/api/users', { body })),
  inviteUser: (body: BodyOf<'inviteUser'>) => bodyOf(client.POST('/console/api/users/invitations', { body })),
  banUser: (id: string, hours: number) =>
    bodyOf(client.POST('/console/api/users/{id}/ban', { params: { path: { id } }, body: { hours } })),
  unbanUser: (id: string) => bodyOf(client.POST('/console/api/users/{id}/unban', { params: { path: { id } } })),
  signOutUser: (id: string) => bodyOf(client.POST('/console/api/users/{id}/sign-out', { params: { path: { id } } })),
  sendReset: (id: string) => bodyOf(client.POST('/console/api/users/{id}/reset', { params: { path: { id } } })),
  signInLink: (id: string) => bodyOf(client.POST('/console/api/users/{id}/link', { params: { path: { id } } })),
  removeUserFactor: (id: string, factorId: string) =>
    bodyOf(client.DELETE('/console/api/users/{id}/factors/{factorId}', { params: { path: { id, factorId } } })),
  deleteUser: (id: string) => bodyOf(client.DELETE('/console/api/users/{id}', { params: { path: { id } } })),
  mails: (query: QueryOf<'mails'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/mails', { params: { query }, ...cancel(options) })),
  mail: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/mails/{id}', { params: { path: { id } }, ...cancel(options) })),
  emptyInbox: () => bodyOf(client.DELETE('/console/api/mails')),
  privacy: (options?: Cancel) =>
    bodyOf(client.GET('/console/api/privacy', { params: { query: { jobs: 50 } }, ...cancel(options) })),
  maskable: (options?: Cancel) => bodyOf(client.GET('/console/api/privacy/maskable', cancel(options))),
  addMask: (body: BodyOf<'addMask'>) => bodyOf(client.POST('/console/api/privacy/masks', { body })),
  removeMask: (id: string) => bodyOf(client.DELETE('/console/api/privacy/masks/{id}', { params: { path: { id } } })),
  erasures: async (options?: Cancel) =>
    (
      await bodyOf(
        client.GET('/console/api/privacy/erasures', { params: { query: { limit: 50 } }, ...cancel(options) }),
      )
    ).erasures,
  tableHistory: (schema: string, table: string, query: QueryOf<'tableHistory'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/data/{schema}/{table}/changes', {
        params: { path: { schema, table }, query },
        ...cancel(options),
      }),
    ),
  history: (schema: string, table: string, key: Values, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/data/{schema}/{table}/history', {
        params: { path: { schema, table }, query: { key: JSON.stringify(key), limit: 100 } },
        ...cancel(options),
      }),
    ),
}

/** Where a session's recording is downloaded as a file. */
export const recordingFileUrl = (id: string): string => `/console/api/sessions/${encodeURIComponent(id)}/file`
