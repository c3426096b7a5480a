import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'

/** The requests of what the database does by itself: jobs, webhooks, HTTP requests, queues, secrets and migrations; and advice on it. */
export const databaseApi = {
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
  migrations: (options?: Cancel) => bodyOf(client.GET('/console/api/migrations', cancel(options))),
  migration: (version: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/migrations/{version}', { params: { path: { version } }, ...cancel(options) })),
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
  advice: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/advisor', cancel(options)))).advice,
  ignoreAdvice: (body: BodyOf<'ignoreAdvice'>) => bodyOf(client.PUT('/console/api/advisor/ignored', { body })),
  unignoreAdvice: (query: { readonly name: string; readonly object: string }) =>
    bodyOf(client.DELETE('/console/api/advisor/ignored', { params: { query } })),
}
