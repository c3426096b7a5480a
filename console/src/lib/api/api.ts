import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from './client.ts'
import { dataApi } from './data.ts'
import { accountsApi } from './parts/accounts.ts'
import { captureSettingsApi } from './parts/capture-settings.ts'
import { databaseApi } from './parts/database.ts'
import { flagsApi } from './parts/flags.ts'
import { functionsApi } from './parts/functions.ts'
import { heatmapsApi } from './parts/heatmaps.ts'
import { notesApi } from './parts/notes.ts'
import { realtimeApi } from './parts/realtime.ts'
import { retentionApi } from './parts/retention.ts'
import { sharesApi } from './parts/shares.ts'
import { storageApi } from './parts/storage.ts'
import { teamApi } from './parts/team.ts'
import { usersApi } from './parts/users.ts'
import { vitalsApi } from './parts/vitals.ts'
import { peopleApi } from './people.ts'
import { privacyApi } from './privacy.ts'
import { schemaApi } from './schema.ts'

/**
 * The requests of the console. Each takes a signal and is cancelled when its screen is left.
 *
 * @throws ApiError for an error response, and with status 0 when nothing answers
 */
export const api = {
  ...accountsApi,
  ...captureSettingsApi,
  ...dataApi,
  ...databaseApi,
  ...flagsApi,
  ...functionsApi,
  ...heatmapsApi,
  ...notesApi,
  ...peopleApi,
  ...privacyApi,
  ...realtimeApi,
  ...retentionApi,
  ...schemaApi,
  ...sharesApi,
  ...storageApi,
  ...teamApi,
  ...usersApi,
  ...vitalsApi,
  instance: (options?: Cancel) => bodyOf(client.GET('/console/api/instance', cancel(options))),
  overview: (options?: Cancel) => bodyOf(client.GET('/console/api/overview', cancel(options))),
  sessions: (query: QueryOf<'sessions'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/sessions', { params: { query }, ...cancel(options) })),
  session: (id: string, query: QueryOf<'session'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/sessions/{id}', { params: { path: { id }, query }, ...cancel(options) })),
  sessionOutline: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/sessions/{id}/outline', { params: { path: { id } }, ...cancel(options) })),
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
  presence: (options?: Cancel) => bodyOf(client.GET('/console/api/presence', cancel(options))),
  overviewDay: (options?: Cancel) => bodyOf(client.GET('/console/api/overview/day', cancel(options))),
  requestSeries: (query: QueryOf<'requestSeries'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/request-series', { params: { query }, ...cancel(options) })),
  slowStatements: (query: QueryOf<'slowStatements'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/slow-statements', { params: { query }, ...cancel(options) })),
  serverLogs: (query: QueryOf<'serverLogs'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/server-logs', { params: { query }, ...cancel(options) })),
  serverLogServices: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/server-log-services', cancel(options)))).services,
  request: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/requests/{id}', { params: { path: { id } }, ...cancel(options) })),
  /** Plans a statement of a request; it is in the audit log. */
  statementPlan: (id: string, place: number) =>
    bodyOf(client.POST('/console/api/requests/{id}/statements/{place}/plan', { params: { path: { id, place } } })),
  /** What a text names, in all rooms. */
  search: (q: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/search', { params: { query: { q } }, ...cancel(options) })),
  actions: (query: QueryOf<'actions'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/actions', { params: { query }, ...cancel(options) })),
  actionNames: (options?: Cancel) => bodyOf(client.GET('/console/api/actions/names', cancel(options))),
  whyOfRequest: (id: string, body: BodyOf<'whyOfRequest'>, options?: Cancel) =>
    bodyOf(client.POST('/console/api/requests/{id}/why', { params: { path: { id } }, body, ...cancel(options) })),
  /** Runs SQL before a request, and rolls both back; it is in the audit log. */
  tryOnRequest: (id: string, body: BodyOf<'tryOnRequest'>) =>
    bodyOf(client.POST('/console/api/requests/{id}/why/try', { params: { path: { id } }, body })),
  tryOnQuestion: (body: BodyOf<'tryOnQuestion'>) => bodyOf(client.POST('/console/api/why/try', { body })),
  why: (body: BodyOf<'why'>, options?: Cancel) => bodyOf(client.POST('/console/api/why', { body, ...cancel(options) })),
  backups: (options?: Cancel) => bodyOf(client.GET('/console/api/backups', cancel(options))),
  runBackup: () => bodyOf(client.POST('/console/api/backups/run')),
  disk: (options?: Cancel) => bodyOf(client.GET('/console/api/disk', cancel(options))),
  runCleanUp: () => bodyOf(client.POST('/console/api/disk/clean-up')),
  alerts: (options?: Cancel) => bodyOf(client.GET('/console/api/alerts', cancel(options))),
  testAlerts: () => bodyOf(client.POST('/console/api/alerts/test')),
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
}

/** Where a session's recording is downloaded as a file. */
export const recordingFileUrl = (id: string): string => `/console/api/sessions/${encodeURIComponent(id)}/file`
