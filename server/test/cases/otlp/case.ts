/** A rule of the protocol page, as one request and its answer. */
export interface OtlpCase {
  /** `otlp §3`. */
  readonly section: string
  /** The rule in words. */
  readonly rule: string
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly status: number
  /** Whether the answer's encoding is that of a request in Protobuf; JSON by default. */
  readonly isProtobuf?: boolean
  /** What the answer's JSON holds, or bytes of the answer in Protobuf. */
  readonly answer?: object | Buffer
}
