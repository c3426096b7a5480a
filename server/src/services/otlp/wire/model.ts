/** A value of an attribute, as JSON has it: bytes are base64, integers beyond 2^53 texts. */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue }

/** Attributes in their order, as sent: names may repeat. */
export type Attributes = readonly (readonly [key: string, value: AttributeValue])[]

/** What sent it, and through which library. */
export interface Origin {
  readonly resource: Attributes
  readonly scope: string
}

/** What happened within a span, an exception above all. */
export interface SentEvent {
  readonly timeNanos: bigint
  readonly name: string
  readonly attributes: Attributes
}

/** A span as sent. Ids are lower-case hexadecimal digits, and empty where there is none. */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly startNanos: bigint
  readonly endNanos: bigint
  readonly attributes: Attributes
  readonly events: readonly SentEvent[]
  /** Attributes, events and links that its program has left out. */
  readonly dropped: number
  readonly statusCode: number
  readonly statusMessage: string
}

/** A log record as sent. */
export interface SentLog {
  /** 0 where it is not known. */
  readonly timeNanos: bigint
  readonly observedNanos: bigint
  readonly severity: number
  readonly severityText: string
  readonly body: AttributeValue
  readonly eventName: string
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Attributes
  readonly dropped: number
}

/**
 * What one request holds, each with what sent it. Records are read one by one, as they are asked for: a whole request of
 * them would outlive the young generation of the heap. Reading throws what is wrong with a record.
 */
export type Batch<Record> = readonly { readonly origin: Origin; readonly records: Iterable<Record> }[]

/** What may be sent: `traces` at `/v1/traces`, `logs` at `/v1/logs`. */
export type Signal = 'traces' | 'logs'

/** How much a body may hold. */
export interface ReadLimits {
  readonly records: number
  readonly depth: number
}
