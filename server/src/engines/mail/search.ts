/** A condition on a mail; every one must hold. */
export interface MailFilter {
  readonly kind: 'to' | 'from' | 'addressed' | 'subject' | 'tag' | 'message-id' | 'is' | 'any'
  readonly text: string
  /** Whether it must not be so. */
  readonly not: boolean
}

const kinds = ['to', 'from', 'addressed', 'subject', 'tag', 'message-id', 'is'] as const

/**
 * Reads a search as Mailpit has it: `to:`, `from:`, `addressed:`, `subject:`, `tag:`, `message-id:` and `is:read` name a
 * field, values may stand in double quotes, `-` or `!` before a part turns it round, other words are looked for anywhere.
 *
 * @see https://mailpit.axllent.org/docs/usage/search-filters/
 */
export function parseSearch(query: string): readonly MailFilter[] {
  const part = /([-!])?(?:([a-z]+(?:-id)?):)?(?:"([^"]*)"|(\S+))/gi
  return [...query.matchAll(part)].flatMap((match) => {
    const [, sign, field, quoted, bare] = match
    const kind = kinds.find((known) => known === field?.toLowerCase())
    // What only looks like a field (`https:…`) is a word.
    const word = kind === undefined && field !== undefined ? `${field}:` : ''
    const text = `${word}${quoted ?? bare ?? ''}`
    return text === '' ? [] : [{ kind: kind ?? 'any', text, not: sign !== undefined }]
  })
}
