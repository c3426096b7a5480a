import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import type { FunctionLogEntry } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { growingQuery } from '../../lib/lists/growing-query.ts'
import { live } from '../../lib/live/topics.ts'
import type { FigureTime, LogLevel } from './search.ts'

/** One function. */
export const functionQuery = (name: string) =>
  queryOptions({
    queryKey: ['function', name],
    queryFn: ({ signal }) => api.function(name, { signal }),
    meta: live(['functions', 'console']),
  })

/** How a time is cut into parts, and what a part is called. */
export const figureTimes = {
  hour: { hours: 1, parts: 60, part: 'minute', time: 'the last hour' },
  day: { hours: 24, parts: 48, part: 'half hour', time: 'the last day' },
  week: { hours: 168, parts: 56, part: 'three hours', time: 'the last week' },
} as const satisfies Record<FigureTime, object>

/** What a function was called over a time; undefined where it was not. */
export const callsQuery = (name: string, time: FigureTime) =>
  queryOptions({
    queryKey: ['function-calls', name, time],
    queryFn: async ({ signal }) => {
      const { hours, parts } = figureTimes[time]
      return (await api.functionCalls({ name, hours, parts }, { signal }))[0] ?? null
    },
    meta: live('requests', 2_000),
  })

/** The last calls of a function. */
export const lastCallsQuery = (name: string) =>
  queryOptions({
    queryKey: ['function-requests', name],
    queryFn: async ({ signal }) =>
      (await api.requests({ service: 'functions', q: `/functions/v1/${name}`, limit: 20 }, { signal })).requests,
    meta: live('requests'),
  })

/** The log lines that are asked for. */
export interface LogFilter {
  readonly level?: LogLevel
  readonly q?: string
}

/** A function's log, newest first, page by page. */
export const logsQuery = (queryClient: QueryClient, name: string, filter: LogFilter, isLive: boolean) =>
  growingQuery<FunctionLogEntry, GrowingList<FunctionLogEntry>>({
    queryClient,
    queryKey: ['function-logs', name, filter],
    page: async (before, signal) => {
      const query = { name, ...filter, limit: 100, ...(before && { before }) }
      const { logs, next } = await api.functionLogs(query, { signal })
      return { items: logs, next }
    },
    idOf: ({ id }) => id,
    refetchMs: false,
    ...(isLive && { meta: live(`function-logs:${name}`) }),
  })

/** Why the function did not start, the last time that it did not; null where it always did. */
export const failureQuery = (name: string) =>
  queryOptions({
    queryKey: ['function-failure', name],
    queryFn: async ({ signal }) => {
      const { logs } = await api.functionLogs({ name, level: 'error', limit: 20 }, { signal })
      return logs.find(({ kind }) => kind === 'boot_failure') ?? null
    },
    meta: live(`function-logs:${name}`),
  })

/** The kept versions, newest first. */
export const versionsQuery = (name: string) =>
  queryOptions({
    queryKey: ['function-versions', name],
    queryFn: ({ signal }) => api.functionVersions(name, { signal }),
    meta: live(['functions', 'console']),
  })

/** The files of the version that answers. */
export const filesQuery = (name: string) =>
  queryOptions({
    queryKey: ['function-files', name],
    queryFn: ({ signal }) => api.functionFiles(name, { signal }),
    meta: live(['functions', 'console']),
  })

/** The text of one of them. */
export const fileQuery = (name: string, path: string) =>
  queryOptions({
    queryKey: ['function-file', name, path],
    queryFn: ({ signal }) => api.functionFile(name, path, { signal }),
    // What is being written is not taken away by what was read again.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The processes that run of a function, with what they use: that is measured, and nothing announces it. */
export const processesQuery = (name: string) =>
  queryOptions({
    queryKey: ['function-processes', name],
    queryFn: ({ signal }) => api.functionProcesses(name, { signal }),
    refetchInterval: 2_000,
  })

/** How many messages a queue's dead letters are; 0 where none was ever made. */
export const deadLettersQuery = (queue: string) =>
  queryOptions({
    queryKey: ['function-dead-letters', queue],
    queryFn: async ({ signal }) => {
      try {
        const { visible, inFlight } = await api.queue(`${queue}_dead`, { signal })
        return visible + inFlight
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return 0
        throw error
      }
    },
    meta: live(['requests', 'console'], 2_000),
  })

/** A webhook by its table and its name. */
export interface HookName {
  readonly schema: string
  readonly table: string
  readonly hook: string
}

/** A page of a webhook's deliveries that failed for good. */
export const failedDeliveriesQuery = (hook: HookName) =>
  queryOptions({
    queryKey: ['function-failed-deliveries', hook],
    queryFn: async ({ signal }) =>
      (await api.webhookDeliveries({ ...hook, state: 'failed', limit: failedPage }, { signal })).deliveries.length,
    meta: live('deliveries'),
  })

/** As many failed deliveries as are counted. */
export const failedPage = 100

/** What the settings have call a function. */
export const triggersQuery = (name: string) =>
  queryOptions({
    queryKey: ['function-triggers', name],
    queryFn: ({ signal }) => api.functionTriggers(name, { signal }),
  })

/** The jobs and the webhooks that name the function's address. */
export const sqlTriggersQuery = (name: string) =>
  queryOptions({
    queryKey: ['function-sql-triggers', name],
    queryFn: async ({ signal }) => {
      const [{ jobs }, { hooks }] = await Promise.all([api.jobs({ limit: 200 }, { signal }), api.webhooks({ signal })])
      const address = new RegExp(`/functions/v1/${name}(?![\\w-])`)
      return {
        jobs: jobs.filter(({ command }) => command !== null && address.test(command)),
        hooks: hooks.filter(({ url }) => address.test(url)),
      }
    },
    meta: live(['jobs', 'deliveries', 'console'], 2_000),
  })
