/** A request as far as its signature reaches. */
export interface SignedRequest {
  readonly method: string
  /** As it was sent: percent-encoded, without query. */
  readonly path: string
  /** As it was sent, without `?`. */
  readonly query: string
  /** Names and values one after the other, as Node's `rawHeaders` has them. */
  readonly rawHeaders: readonly string[]
}

/** The addresses that a request may have been signed for: before a proxy, and at this server. */
export interface SignedFor {
  /** Values of `Host`. */
  readonly hosts: readonly string[]
  /** What a proxy took from the beginning of the path; empty where it took nothing. */
  readonly prefixes: readonly string[]
}

/** The values of headers by their names in lower case; repeated ones are joined by a comma, as they are signed. */
export function headerValues(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    const value = (rawHeaders[index + 1] ?? '').trim().replace(/ {2,}/g, ' ')
    const before = values.get(name)
    values.set(name, before === undefined ? value : `${before},${value}`)
  }
  return values
}
