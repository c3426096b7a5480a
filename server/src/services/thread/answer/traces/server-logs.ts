import type { ServerLogsQuery } from '../../../../ground/traces/server-trace.ts'
import type { TracesPort } from '../../ports.ts'
import type { ServerLogsPage } from '../../schemas/trace.ts'
import type { ThreadStore } from '../store.ts'
import { renderServerLog } from './render.ts'

export interface ServerLogsDeps {
  readonly traces: Pick<TracesPort, 'logs'>
  readonly store: Pick<ThreadStore, 'requestsOfTraces'>
}

/** What servers logged, newest first, each record with the request or session that it belongs to. */
export const createServerLogs =
  ({ traces, store }: ServerLogsDeps): ((query: ServerLogsQuery) => Promise<ServerLogsPage>) =>
  async (query) => {
    const { logs, next } = await traces.logs(query)
    const traceIds = [...new Set(logs.flatMap(({ traceId }) => traceId ?? []))]
    const requests = await store.requestsOfTraces(traceIds)
    return {
      logs: logs.map((log) => ({
        ...renderServerLog(log),
        traceId: log.traceId,
        sessionId: log.sessionId,
        requestId: log.traceId === null ? null : (requests.get(log.traceId) ?? null),
      })),
      next,
    }
  }
