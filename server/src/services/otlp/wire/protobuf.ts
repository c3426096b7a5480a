import { otlpError } from '../errors.ts'
import type { Attributes, AttributeValue, Batch, Origin, ReadLimits, SentEvent, SentLog, SentSpan } from './model.ts'
import { Reader } from './reader.ts'

/**
 * Reads an `ExportTraceServiceRequest`.
 *
 * @throws CLEW_OTLP_DATA, CLEW_OTLP_TOO_DEEP, CLEW_OTLP_TOO_LARGE
 * @see    https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
export const readProtobufSpans = (body: Buffer, limits: ReadLimits): Batch<SentSpan> =>
  readBatch(body, limits, readSpan)

/**
 * Reads an `ExportLogsServiceRequest`.
 *
 * @throws as `readProtobufSpans`
 * @see    https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto
 */
export const readProtobufLogs = (body: Buffer, limits: ReadLimits): Batch<SentLog> => readBatch(body, limits, readLog)

type ReadRecord<Record> = (reader: Reader, depth: number) => Record

/** Both requests have resources in field 1, these their scopes in field 2, and these their records in field 2. */
function readBatch<Record>(
  body: Buffer,
  { records: most, depth }: ReadLimits,
  read: ReadRecord<Record>,
): Batch<Record> {
  const request = new Reader(body)
  const batch: { origin: Origin; records: Iterable<Record> }[] = []
  let count = 0
  while (request.next()) {
    if (request.field !== 1) {
      request.skip()
      continue
    }
    const ofResource = request.message()
    const scopes: Reader[] = []
    let resource: Attributes = []
    while (ofResource.next()) {
      if (ofResource.field === 1) resource = readResource(ofResource.message(), depth)
      else if (ofResource.field === 2) scopes.push(ofResource.message())
      else ofResource.skip()
    }
    for (const scope of scopes) {
      const { name, records } = readScope(scope, most - count)
      count += records.length
      batch.push({ origin: { resource, scope: name }, records: readEach(records, (record) => read(record, depth)) })
    }
  }
  return batch
}

/** Records, each read when it is asked for. */
export function* readEach<Found, Record>(found: readonly Found[], read: (one: Found) => Record): Generator<Record> {
  for (const one of found) yield read(one)
}

function readScope(reader: Reader, most: number) {
  const records: Reader[] = []
  let name = ''
  while (reader.next()) {
    if (reader.field === 1) name = readScopeName(reader.message())
    else if (reader.field === 2) {
      if (records.length >= most)
        throw otlpError('CLEW_OTLP_TOO_LARGE', { details: 'more records than a request may have' })
      records.push(reader.message())
    } else reader.skip()
  }
  return { name, records }
}

function readResource(reader: Reader, depth: number): Attributes {
  const attributes: Attributes[number][] = []
  while (reader.next()) {
    if (reader.field === 1) attributes.push(readKeyValue(reader.message(), depth))
    else reader.skip()
  }
  return attributes
}

function readScopeName(reader: Reader): string {
  let name = ''
  while (reader.next()) {
    if (reader.field === 1) name = reader.text()
    else reader.skip()
  }
  return name
}

function readSpan(reader: Reader, depth: number): SentSpan {
  const attributes: Attributes[number][] = []
  const events: SentEvent[] = []
  let [traceId, spanId, parentSpanId, name, statusMessage] = ['', '', '', '', '']
  let [kind, statusCode, dropped] = [0, 0, 0]
  let [startNanos, endNanos] = [0n, 0n]
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        traceId = reader.hex()
        break
      case 2:
        spanId = reader.hex()
        break
      case 4:
        parentSpanId = reader.hex()
        break
      case 5:
        name = reader.text()
        break
      case 6:
        kind = reader.uint()
        break
      case 7:
        startNanos = reader.fixed64()
        break
      case 8:
        endNanos = reader.fixed64()
        break
      case 9:
        attributes.push(readKeyValue(reader.message(), depth))
        break
      case 11:
        events.push(readEvent(reader.message(), depth))
        break
      // Counts of attributes, events and links that were dropped.
      case 10:
      case 12:
      case 14:
        dropped += reader.uint()
        break
      case 15: {
        const status = reader.message()
        while (status.next()) {
          if (status.field === 2) statusMessage = status.text()
          else if (status.field === 3) statusCode = status.uint()
          else status.skip()
        }
        break
      }
      default:
        reader.skip()
    }
  }
  const times = { startNanos, endNanos }
  return { traceId, spanId, parentSpanId, name, kind, ...times, attributes, events, dropped, statusCode, statusMessage }
}

function readEvent(reader: Reader, depth: number): SentEvent {
  const attributes: Attributes[number][] = []
  let name = ''
  let timeNanos = 0n
  while (reader.next()) {
    if (reader.field === 1) timeNanos = reader.fixed64()
    else if (reader.field === 2) name = reader.text()
    else if (reader.field === 3) attributes.push(readKeyValue(reader.message(), depth))
    else reader.skip()
  }
  return { timeNanos, name, attributes }
}

function readLog(reader: Reader, depth: number): SentLog {
  const attributes: Attributes[number][] = []
  let [traceId, spanId, severityText, eventName] = ['', '', '', '']
  let [severity, dropped] = [0, 0]
  let [timeNanos, observedNanos] = [0n, 0n]
  let body: AttributeValue = null
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        timeNanos = reader.fixed64()
        break
      case 2:
        severity = reader.uint()
        break
      case 3:
        severityText = reader.text()
        break
      case 5:
        body = readValue(reader.message(), depth)
        break
      case 6:
        attributes.push(readKeyValue(reader.message(), depth))
        break
      case 7:
        dropped += reader.uint()
        break
      case 9:
        traceId = reader.hex()
        break
      case 10:
        spanId = reader.hex()
        break
      case 11:
        observedNanos = reader.fixed64()
        break
      case 12:
        eventName = reader.text()
        break
      default:
        reader.skip()
    }
  }
  return { timeNanos, observedNanos, severity, severityText, body, eventName, traceId, spanId, attributes, dropped }
}

function readKeyValue(reader: Reader, depth: number): Attributes[number] {
  let key = ''
  let value: AttributeValue = null
  while (reader.next()) {
    if (reader.field === 1) key = reader.text()
    else if (reader.field === 2) value = readValue(reader.message(), depth)
    else reader.skip()
  }
  return [key, value]
}

/** An `AnyValue`; of several values the last one counts, as in any `oneof`. */
function readValue(reader: Reader, depth: number): AttributeValue {
  if (depth <= 0) throw otlpError('CLEW_OTLP_TOO_DEEP')
  let value: AttributeValue = null
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        value = reader.text()
        break
      case 2:
        value = reader.bool()
        break
      case 3:
        value = integerOf(reader.int64())
        break
      case 4:
        value = numberOf(reader.double())
        break
      case 5:
        value = readItems(reader.message(), (item) => readValue(item, depth - 1))
        break
      case 6:
        value = membersOf(readItems(reader.message(), (item) => readKeyValue(item, depth - 1)))
        break
      case 7:
        value = reader.base64()
        break
      default:
        reader.skip()
    }
  }
  return value
}

function readItems<Item>(reader: Reader, read: (item: Reader) => Item): Item[] {
  const items: Item[] = []
  while (reader.next()) {
    if (reader.field === 1) items.push(read(reader.message()))
    else reader.skip()
  }
  return items
}

/** An integer as JSON can say it. */
export const integerOf = (value: number | bigint): number | string =>
  typeof value === 'number' || (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER))
    ? Number(value)
    : String(value)

/** A number as JSON can say it: it has no word for what is not finite. */
export const numberOf = (value: number): number | string => (Number.isFinite(value) ? value : String(value))

/** An object of its own names only: `__proto__` is one like any other. */
export const membersOf = (pairs: Attributes): AttributeValue => Object.fromEntries(pairs)
