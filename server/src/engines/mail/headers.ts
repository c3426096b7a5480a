import type { HeaderLists } from './mime.ts'

/** Headers that Clew sets itself; a setting may not. */
const ownHeaders = /^(from|to|cc|bcc|subject|date|message-id|mime-version|content-.*|sender|reply-to)$/i

/**
 * Parses further headers, `{"X-Tag": ["auth", "$messageType"]}`.
 *
 * @returns null for JSON of another form, and for headers that Clew sets itself
 */
export function parseHeaderLists(json: string): HeaderLists | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return null
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
  const lists: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(parsed)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const texts = values.filter((text): text is string => typeof text === 'string' && !/\p{Cc}/u.test(text))
    if (!/^[A-Za-z0-9-]+$/.test(name) || ownHeaders.test(name) || texts.length < values.length) return null
    lists[name] = texts.filter((text) => text !== '')
  }
  return lists
}
