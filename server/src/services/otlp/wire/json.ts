import { measureJson } from '../../../ground/http/json-size.ts'
import { isObject, type JsonObject } from '../../../ground/json/object.ts'
import { otlpError } from '../errors.ts'
import type { Attributes, AttributeValue, Batch, ReadLimits, SentEvent, SentLog, SentSpan } from './model.ts'
import { integerOf, membersOf, numberOf, readEach } from './protobuf.ts'

/**
 * Reads an `ExportTraceServiceRequest` in JSON: ids are hexadecimal digits, enumerations numbers, and numbers of 64 bits
 * texts or numbers (otlp §2).
 *
 * @throws CLEW_OTLP_DATA, CLEW_OTLP_TOO_DEEP, CLEW_OTLP_TOO_LARGE
 */
export const readJsonSpans = (body: Buffer, limits: ReadLimits): Batch<SentSpan> =>
  readBatch(body, limits, ['resourceSpans', 'scopeSpans', 'spans'], readSpan)

/** Reads an `ExportLogsServiceRequest` in JSON. @throws as `readJsonSpans` */
export const readJsonLogs = (body: Buffer, limits: ReadLimits): Batch<SentLog> =>
  readBatch(body, limits, ['resourceLogs', 'scopeLogs', 'logRecords'], readLog)

// Parsed they take some 300 MB, whatever their form; the heap of a thread has room for more.
const mostValues = 2_000_000

function readBatch<Record>(
  body: Buffer,
  { records: most, depth }: ReadLimits,
  [resources, scopes, records]: readonly [string, string, string],
  read: (record: JsonObject) => Record,
): Batch<Record> {
  const batch: { origin: Batch<Record>[number]['origin']; records: Iterable<Record> }[] = []
  let count = 0
  for (const ofResource of objectsIn(parse(body, depth), resources)) {
    const resource = attributesIn(memberIn(ofResource, 'resource'))
    for (const ofScope of objectsIn(ofResource, scopes)) {
      const found = objectsIn(ofScope, records)
      count += found.length
      if (count > most) throw otlpError('CLEW_OTLP_TOO_LARGE', { details: 'more records than a request may have' })
      batch.push({
        origin: { resource, scope: textIn(memberIn(ofScope, 'scope'), 'name') },
        records: readEach(found, read),
      })
    }
  }
  return batch
}

function parse(body: Buffer, depth: number): JsonObject {
  const text = body.toString('utf8')
  const size = measureJson(text, { depth, values: mostValues })
  if (size === 'deep') throw otlpError('CLEW_OTLP_TOO_DEEP')
  if (size === 'many') throw otlpError('CLEW_OTLP_TOO_LARGE', { details: `more than ${mostValues} values` })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw otlpError('CLEW_OTLP_DATA', { cause })
  }
  if (!isObject(value)) throw damaged('the body is no object')
  return value
}

const readSpan = (span: JsonObject): SentSpan => {
  const status = memberIn(span, 'status')
  return {
    traceId: idIn(span, 'traceId'),
    spanId: idIn(span, 'spanId'),
    parentSpanId: idIn(span, 'parentSpanId'),
    name: textIn(span, 'name'),
    kind: countIn(span, 'kind'),
    startNanos: nanosIn(span, 'startTimeUnixNano'),
    endNanos: nanosIn(span, 'endTimeUnixNano'),
    attributes: attributesIn(span),
    events: objectsIn(span, 'events').map(readEvent),
    dropped:
      countIn(span, 'droppedAttributesCount') +
      countIn(span, 'droppedEventsCount') +
      countIn(span, 'droppedLinksCount'),
    statusCode: countIn(status, 'code'),
    statusMessage: textIn(status, 'message'),
  }
}

const readEvent = (event: JsonObject): SentEvent => ({
  timeNanos: nanosIn(event, 'timeUnixNano'),
  name: textIn(event, 'name'),
  attributes: attributesIn(event),
})

const readLog = (log: JsonObject): SentLog => ({
  timeNanos: nanosIn(log, 'timeUnixNano'),
  observedNanos: nanosIn(log, 'observedTimeUnixNano'),
  severity: countIn(log, 'severityNumber'),
  severityText: textIn(log, 'severityText'),
  body: anyValueOf(log.body),
  eventName: textIn(log, 'eventName'),
  traceId: idIn(log, 'traceId'),
  spanId: idIn(log, 'spanId'),
  attributes: attributesIn(log),
  dropped: countIn(log, 'droppedAttributesCount'),
})

const attributesIn = (holder: JsonObject): Attributes =>
  objectsIn(holder, 'attributes').map((pair) => [textIn(pair, 'key'), anyValueOf(pair.value)] as const)

/** An `AnyValue`: an object with one member, which names the type. */
function anyValueOf(any: unknown): AttributeValue {
  if (!isObject(any)) return null
  const { stringValue, boolValue, intValue, doubleValue, bytesValue } = any
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  if (intValue !== undefined) return integerOf(bigintOf(intValue, 'intValue'))
  if (doubleValue !== undefined) return numberOf(Number(doubleValue))
  if (typeof bytesValue === 'string') return bytesValue
  if (isObject(any.arrayValue)) return objectsIn(any.arrayValue, 'values').map(anyValueOf)
  if (isObject(any.kvlistValue))
    return membersOf(objectsIn(any.kvlistValue, 'values').map((pair) => [textIn(pair, 'key'), anyValueOf(pair.value)]))
  return null
}

const nothing: JsonObject = {}

function memberIn(holder: JsonObject, name: string): JsonObject {
  const value = holder[name]
  if (value === undefined || value === null) return nothing
  if (!isObject(value)) throw damaged(`${name} is no object`)
  return value
}

function objectsIn(holder: JsonObject, name: string): readonly JsonObject[] {
  const value = holder[name]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw damaged(`${name} is no list of objects`)
  return value
}

function textIn(holder: JsonObject, name: string): string {
  const value = holder[name]
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw damaged(`${name} is no text`)
  return value
}

/** An id in hexadecimal digits, which may be capitals. */
function idIn(holder: JsonObject, name: string): string {
  const id = textIn(holder, name)
  if (!/^[0-9A-Fa-f]*$/.test(id)) throw damaged(`${name} is not in hexadecimal digits`)
  return id.toLowerCase()
}

function countIn(holder: JsonObject, name: string): number {
  const value = holder[name]
  if (value === undefined || value === null) return 0
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw damaged(`${name} is no count`)
  return value
}

const nanosIn = (holder: JsonObject, name: string): bigint => {
  const value = holder[name]
  return value === undefined || value === null ? 0n : BigInt.asUintN(64, bigintOf(value, name))
}

function bigintOf(value: unknown, name: string): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt.asIntN(64, BigInt(value))
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt.asIntN(64, BigInt(value))
  throw damaged(`${name} is no integer`)
}

const damaged = (details: string): Error => otlpError('CLEW_OTLP_DATA', { details })
