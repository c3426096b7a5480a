/**
 * JSON text without lone surrogates: `JSON.stringify` writes them as `\ud800`, which ClickHouse's parser takes for a
 * broken document and PostgreSQL's jsonb refuses. They become U+FFFD. Whatever becomes a line to be stored is written
 * by this.
 */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value)
  // Only lone surrogates are ever escaped, so nearly every text ends here.
  if (!json.includes('\\ud')) return json
  return json.replaceAll(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escaped) =>
    escaped.startsWith('\\ud') ? '\ufffd' : escaped,
  )
}

const surrogate = /\p{Surrogate}/u

/** Whether a text has no half of a surrogate pair: no engine stores one. */
export const isWellFormed = (text: string): boolean => !surrogate.test(text)
