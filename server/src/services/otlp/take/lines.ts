import { withoutTokens } from '../../../ground/privacy/secrets.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { namedTie } from '../rows/ties.ts'
import type { AttributeValue, Batch, Origin, SentEvent, SentLog, SentSpan } from '../wire/model.ts'
import { type AttributeBounds, createAttributeBounds, cutText, type KeptAttributes } from './attributes.ts'
import type { TakeLimits } from './limits.ts'

/** What becomes of a batch. */
export interface PlannedBatch {
  /** Rows as JSON. */
  readonly lines: readonly string[]
  /** Records that were left out, by the reason. */
  readonly rejected: Readonly<Record<string, number>>
}

/** Of `SpanKind` (opentelemetry/proto/trace/v1/trace.proto), by their numbers. */
const spanKinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
/** Of `StatusCode`. */
const statuses = ['unset', 'ok', 'error']

const nanosAMs = 1_000_000n
const dayMs = 24 * 60 * 60_000
/** A server's clock may be wrong by as much. */
const futureMs = dayMs

/** Where a batch of log records stands: its bytes' digest, and when it came. */
export interface Arrival {
  readonly nowMs: number
  /** Hexadecimal digits. */
  readonly digest: string
}

/** Plans spans as rows. Pure. */
export function planSpans(batch: Batch<SentSpan>, limits: TakeLimits, nowMs: number): PlannedBatch {
  const { bounds, originOf, isKept } = planning(limits, nowMs)
  const rejections = countRejections()
  const lines: string[] = []
  for (const { origin, records } of batch) {
    const { service, sessionId, resource, scope } = originOf(origin)
    for (const span of records) {
      const startMs = Number(span.startNanos / nanosAMs)
      if (!isTraceId(span.traceId) || !isSpanId(span.spanId)) rejections.add('without a valid id')
      else if (!isKept(startMs)) rejections.add('of a time that is not kept')
      else {
        const attributes = bounds.attributes(span.attributes)
        const events = span.events.slice(0, limits.maxEvents).map((event) => eventOf(event, bounds))
        const dropped =
          span.dropped +
          attributes.dropped +
          (span.events.length - events.length) +
          sum(events.map((each) => each.dropped))
        lines.push(
          lineOf([
            plain(span.traceId),
            plain(span.spanId),
            plain(isSpanId(span.parentSpanId) ? span.parentSpanId : ''),
            startMs,
            plain(span.startNanos),
            plain(span.endNanos > span.startNanos ? span.endNanos - span.startNanos : 0n),
            quoted(cutText(withoutTokens(span.name), limits.maxTextBytes)),
            plain(spanKinds[span.kind] ?? 'unspecified'),
            service,
            scope,
            plain(statuses[span.statusCode] ?? 'unset'),
            quoted(cutText(withoutTokens(span.statusMessage), limits.maxTextBytes)),
            quoted(sessionIn(attributes.values) || sessionId),
            attributes.json || empty,
            resource,
            events.length === 0 ? empty : `[${events.map(({ json }) => json)}]`,
            Math.min(dropped, mostDropped),
          ]),
        )
      }
    }
  }
  return { lines, rejected: rejections.counts }
}

/** Plans log records as rows. Pure. */
export function planLogs(batch: Batch<SentLog>, limits: TakeLimits, { nowMs, digest }: Arrival): PlannedBatch {
  const { bounds, originOf, isKept } = planning(limits, nowMs)
  const rejections = countRejections()
  const lines: string[] = []
  let place = -1
  for (const { origin, records } of batch) {
    const { service, sessionId, resource, scope } = originOf(origin)
    for (const log of records) {
      place += 1
      const nanos = log.timeNanos || log.observedNanos || BigInt(nowMs) * nanosAMs
      const ms = Number(nanos / nanosAMs)
      if (!isKept(ms)) {
        rejections.add('of a time that is not kept')
        continue
      }
      const attributes = bounds.attributes(log.attributes)
      lines.push(
        lineOf([
          plain(`${digest}-${place}`),
          ms,
          plain(nanos),
          plain(isTraceId(log.traceId) ? log.traceId : ''),
          plain(isTraceId(log.traceId) && isSpanId(log.spanId) ? log.spanId : ''),
          quoted(sessionIn(attributes.values) || sessionId),
          service,
          scope,
          plain(levelOf(log)),
          quoted(cutText(log.eventName, longestLabelBytes)),
          quoted(cutText(textOfBody(log.body, bounds), limits.maxTextBytes)),
          attributes.json || empty,
          resource,
          Math.min(log.dropped + attributes.dropped, mostDropped),
        ]),
      )
    }
  }
  return { lines, rejected: rejections.counts }
}

/**
 * A row of rendered values. What is JSON stands in it as it is, once rendered: ClickHouse keeps the text of an object or a
 * list in a column of texts (`input_format_json_read_objects_as_strings`, on by default).
 */
const lineOf = (values: readonly (string | number)[]): string => `[${values.join(',')}]`
/** A text without anything to escape: digits, or a word of ours. */
const plain = (text: string | bigint): string => `"${text}"`
const quoted = (text: string): string => (text === '' ? empty : stringifyWellFormed(text))
const empty = '""'

/** The largest number of a column `UInt32`. */
const mostDropped = 4_294_967_295
const longestLabelBytes = 256

/** What both have in common: attributes, origins as rendered values, times. */
function planning(limits: TakeLimits, nowMs: number) {
  const bounds = createAttributeBounds(limits)
  const oldestMs = nowMs - limits.retentionDays * dayMs
  return {
    bounds,
    originOf({ resource, scope }: Origin) {
      const { values, json } = bounds.attributes(resource)
      const service = values.get('service.name')
      return {
        service: quoted(typeof service === 'string' ? cutText(service, longestLabelBytes) : ''),
        scope: quoted(cutText(scope, longestLabelBytes)),
        sessionId: sessionIn(values),
        resource: json || empty,
      }
    },
    // Each day has a partition of its own: a batch of many days would make as many.
    isKept: (ms: number): boolean => ms > oldestMs && ms < nowMs + futureMs,
  }
}

const sessionIn = (values: KeptAttributes['values']): string => namedTie((name) => values.get(name)).sessionId

function eventOf({ timeNanos, name, attributes }: SentEvent, bounds: AttributeBounds) {
  const { json, dropped } = bounds.attributes(attributes)
  const label = quoted(cutText(name, longestLabelBytes))
  return { json: `{"at":${timeNanos / nanosAMs},"name":${label},"attributes":${json || '{}'}}`, dropped }
}

/** A body that is no text is JSON. */
function textOfBody(sent: AttributeValue, bounds: AttributeBounds): string {
  const value = bounds.value(sent)
  if (value === null) return ''
  return typeof value === 'string' ? value : stringifyWellFormed(value)
}

/** Names of levels as programs write them. */
const levelNames: Readonly<Record<string, string>> = {
  ...{
    trace: 'trace',
    debug: 'debug',
    info: 'info',
    information: 'info',
    notice: 'info',
    warn: 'warn',
    warning: 'warn',
  },
  ...{ err: 'error', error: 'error', critical: 'fatal', fatal: 'fatal', alert: 'fatal', emergency: 'fatal' },
}
/** Four numbers each, from 1 (opentelemetry/proto/logs/v1/logs.proto, `SeverityNumber`). */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

const levelOf = ({ severity, severityText }: SentLog): string =>
  levels[Math.floor((severity - 1) / 4)] ?? levelNames[severityText.toLowerCase()] ?? 'info'

const isTraceId = (id: string): boolean => id.length === 32 && /[^0]/.test(id)
const isSpanId = (id: string): boolean => id.length === 16 && /[^0]/.test(id)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

function countRejections() {
  const counts: Record<string, number> = {}
  return {
    counts,
    add(reason: string): void {
      counts[reason] = (counts[reason] ?? 0) + 1
    },
  }
}
