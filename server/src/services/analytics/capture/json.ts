/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null)

/** A text that says something, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/**
 * JSON text without lone surrogates: `JSON.stringify` writes them as `\ud800`, which ClickHouse's parser takes for a
 * broken document and PostgreSQL's jsonb refuses. They become U+FFFD.
 */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value)
  // Only lone surrogates are ever escaped, so nearly every text ends here.
  if (!json.includes('\\ud')) return json
  return json.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escaped) =>
    escaped.startsWith('\\ud') ? '\ufffd' : escaped,
  )
}
