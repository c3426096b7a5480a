/**
 * How a body is packed (analytics §2). `pixel` and `base64 pixel` put it into the address; a form whose name ends in `header`
 * says so in `Content-Encoding`.
 */
export type Form =
  | 'json'
  | 'gzip'
  | 'gzip header'
  | 'deflate header'
  | 'brotli header'
  | 'json form'
  | 'base64 form'
  | 'careless base64 form'
  | 'base64'
  | 'base64 of gzip'
  | 'gzip of base64'
  | 'lz64'
  | 'lz64 form'
  | 'pixel'
  | 'base64 pixel'

/**
 * One request as a client sends it, and what must be answered.
 *
 * In all texts `~ada` stands for an id that only this case has, of nine characters, as do all with three letters; `~uuid` and
 * `~uuid2` for UUIDs of it, the later the larger; `~T` for the project's token, `~K` for its secret key, and `~V` for the
 * version of posthog-js whose scripts are served; in a header `~E` for the `ETag` of the answer before.
 */
export interface Call {
  /** `POST /e/?ip=0`; the path is below `/ingest`. */
  readonly request: string
  /** A value that is sent as JSON; a text or bytes are sent as they are. */
  readonly body?: unknown
  /** `json` where nothing is said. */
  readonly form?: Form
  /** Spaces are added behind the JSON up to this size. */
  readonly sizeBytes?: number
  readonly headers?: Readonly<Record<string, string>>
  /** 200 where nothing is said. */
  readonly status?: number
  /** The answer's JSON. */
  readonly json?: unknown
  /** What the answer's JSON holds, besides others. */
  readonly holds?: object
  /** Members of the answer's JSON, each as a whole. */
  readonly members?: object
  /** The answer's text. */
  readonly text?: string
  /** What the answer leaves in `window`, run as a script. */
  readonly page?: object
  /** The file of the npm package that the answer is, byte for byte. */
  readonly file?: string
  /** Headers by lower-case name; null for one that must not be there. */
  readonly answer?: Readonly<Record<string, string | null>>
  /** Headers that a preflight's answer allows, with a comma between them. */
  readonly allows?: string
  /** Sent once what the calls before it brought is stored. */
  readonly afterwards?: boolean
}

/** A row of `events`: what is named must be so, of its properties as well. */
export interface StoredEvent {
  readonly event?: string
  readonly properties?: object
  /** Properties that are not stored. */
  readonly lacks?: readonly string[]
  readonly [column: string]: unknown
}

/** What of a case is in the tables; what is not named is not checked, but events and messages, of which there are no others. */
export interface Stored {
  /** In the order of their UUIDs. */
  readonly events?: readonly StoredEvent[]
  /** Recording messages, in the order of their UUIDs. */
  readonly messages?: readonly object[]
  /** Persons with their ids by name, in the order of their first ids, each with exactly these properties. */
  readonly persons?: readonly {
    readonly ids: readonly string[]
    readonly properties?: object
    readonly isIdentified?: boolean
    /** When they began, as `2026-01-02 03:04:05`. */
    readonly began?: string
  }[]
  readonly groups?: readonly { readonly type: string; readonly key: string; readonly properties: object }[]
}

/** A flag as the console stores it; what is not named is its default. */
export interface ProjectFlag {
  readonly key: string
  readonly filters: object
  readonly description?: string
  readonly active?: boolean
  readonly runtime?: 'all' | 'client' | 'server'
  readonly bucketing?: 'distinct_id' | 'device_id'
  readonly keepsBucket?: boolean
  readonly contexts?: readonly string[]
  readonly earlyAccess?: object
}

/** One rule of the protocol. */
export interface AnalyticsCase {
  /** The section of docs/protocols/analytics.md, then the rule in words. */
  readonly rule: string
  /** Sent one after another. */
  readonly calls: readonly Call[]
  readonly stored?: Stored
  /** Flags that the project has, each of which one case brings. */
  readonly flags?: readonly ProjectFlag[]
  /** Environment of a product of its own, with settings that are not the defaults. */
  readonly settings?: Readonly<Record<string, string>>
}

/** An event of `~ada`. */
export const event = (properties: object = {}, more: object = {}): object => ({
  ...{ uuid: '~uuid', event: 'ordered', distinct_id: '~ada', properties },
  ...more,
})

/** What browsers send to `/e/`. */
export const batch = (...events: readonly unknown[]): object => ({ api_key: '~T', batch: events })

/** Some events as a browser sends them, plain. */
export const capture = (...events: readonly unknown[]): Call => ({ request: 'POST /e/', body: batch(...events) })

/** What every capture that was taken answers. */
export const ok = '{"status":"Ok"}'

/** What is answered besides 2xx. */
export const refusal = (code: string, type = 'validation_error'): object => ({ type, code })
