import type { ExceptionRecord } from '../../../ground/errors/exception-record.ts'
import type { FunctionLog } from '../../../ground/model/function-log.ts'
import type { RequestRecord, SessionTag } from '../../../ground/model/request.ts'
import { parsePrintedError } from '../exception/stack-text.ts'

/** Functions report their exceptions themselves, with a stack. */
const reportsItself = 'functions'

/**
 * SQLSTATEs by which an application's own rules answer, and no fault: a value that is taken (23505), a row or table that
 * its policies keep (42501), what its functions raise (class P0).
 */
const asDesigned = /^(?:23505|42501|P0...)$/
const sqlState = /^[0-9A-Z]{5}$/

/**
 * A request that failed by the server's fault, or the database's, as an exception; null for any other. It holds the
 * path without its ids, no query and no value.
 */
export function exceptionOfRequest({ context, service, status }: RequestRecord): ExceptionRecord | null {
  const { errorCode, startedAt, identity, tag } = context
  const isDatabaseError = service === 'rest' && errorCode !== null && sqlState.test(errorCode)
  const isFault = status >= 500 || (isDatabaseError && !asDesigned.test(errorCode))
  if (!isFault || service === reportsItself) return null
  const call = `${context.method} ${templateOf(context.path)}`
  const caller = identity.kind === 'caller' ? identity.caller : null
  return {
    ...unknown,
    id: context.id,
    source: service,
    ...timesOf(startedAt),
    ...sessionOf(tag),
    userId: caller?.userId ?? '',
    requestId: context.id,
    url: call,
    properties: {
      $exception_list: [{ type: errorCode ?? `HTTP ${status}`, value: `${call} answered ${status}` }],
    },
  }
}

const id = /^(?:\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i
const longestPath = 300

/** A path with `:id` in place of numbers and UUIDs. */
const templateOf = (path: string): string =>
  path
    .slice(0, longestPath)
    .split('/')
    .map((part) => (id.test(part) ? ':id' : part))
    .join('/')

const kinds = new Set<FunctionLog['kind']>(['exception', 'boot_failure'])

/**
 * What a function threw and did not catch, as an exception; null for any other line of its log.
 *
 * @param tag the session of the request that it ran for
 */
export function exceptionOfLog(line: FunctionLog, id: string, tag: SessionTag | null): ExceptionRecord | null {
  if (!kinds.has(line.kind)) return null
  const { type, message, frames } = parsePrintedError(line.text)
  const stack = frames.toReversed().map((frame) => ({
    filename: ofProject(frame.file ?? '', line.name),
    function: frame.function,
    lineno: frame.line,
    colno: frame.column,
    in_app: frame.inApp,
  }))
  return {
    ...unknown,
    id,
    source: 'function',
    ...timesOf(line.at),
    ...sessionOf(tag),
    requestId: line.requestId ?? '',
    url: line.name,
    properties: {
      $exception_list: [{ type, value: message, mechanism: { handled: false }, stacktrace: { frames: stack } }],
      $exception_level: line.kind === 'boot_failure' ? 'fatal' : 'error',
    },
  }
}

/** A function runs in a folder that changes with its process; its files are named from the function on. */
function ofProject(file: string, name: string): string {
  const start = file.lastIndexOf(`/${name}/`)
  return start < 0 || !file.startsWith('file:') ? file : file.slice(start + 1)
}

const unknown = {
  sessionId: '',
  windowId: '',
  distinctId: '',
  userId: '',
  requestId: '',
  url: '',
  browser: '',
  os: '',
} as const

const timesOf = (at: Date) => ({ timeMs: at.getTime(), clientTimeMs: at.getTime(), receivedAtMs: at.getTime() })

const sessionOf = (tag: SessionTag | null) => ({
  sessionId: tag?.sessionId ?? '',
  windowId: tag?.windowId ?? '',
  distinctId: tag?.distinctId ?? '',
})
