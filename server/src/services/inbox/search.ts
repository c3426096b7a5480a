/** A condition of a search. */
export interface MailFilter {
  readonly kind: 'to' | 'from' | 'addressed' | 'subject' | 'tag' | 'message-id' | 'is' | 'any'
  readonly text: string
  /** Whether the condition is negated. */
  readonly not: boolean
}

const kinds = ['to', 'from', 'addressed', 'subject', 'tag', 'message-id', 'is'] as const

/**
 * Parses a search of Mailpit: `to:`, `from:`, `addressed:`, `subject:`, `tag:`, `message-id:` and `is:read` name a
 * field, values may stand in double quotes, `-` or `!` negates a part, other words match anywhere.
 *
 * @see https://mailpit.axllent.org/docs/usage/search-filters/
 */
export function parseSearch(query: string): readonly MailFilter[] {
  const part = /([-!])?(?:([a-z]+(?:-id)?):)?(?:"([^"]*)"|(\S+))/gi
  return [...query.matchAll(part)].flatMap((match) => {
    const [, sign, field, quoted, bare] = match
    const kind = kinds.find((known) => known === field?.toLowerCase())
    // An unknown field (`https:…`) is a word.
    const word = kind === undefined && field !== undefined ? `${field}:` : ''
    const text = `${word}${quoted ?? bare ?? ''}`
    return text === '' ? [] : [{ kind: kind ?? 'any', text, not: sign !== undefined }]
  })
}
