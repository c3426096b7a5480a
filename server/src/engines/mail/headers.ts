import type { HeaderLists } from './mime.ts'

/** Headers that make a mail what it is; they are not for a setting to say. */
const ownHeaders = /^(from|to|cc|bcc|subject|date|message-id|mime-version|content-.*|sender|reply-to)$/i

/**
 * Reads further headers, `{"X-Tag": ["auth", "$messageType"]}`.
 *
 * @returns null for what is no such object, or says what it may not
 */
export function parseHeaderLists(json: string): HeaderLists | null {
  let said: unknown
  try {
    said = JSON.parse(json)
  } catch {
    return null
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return null
  const lists: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(said)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const texts = values.filter((text): text is string => typeof text === 'string' && !/\p{Cc}/u.test(text))
    if (!/^[A-Za-z0-9-]+$/.test(name) || ownHeaders.test(name) || texts.length < values.length) return null
    lists[name] = texts.filter((text) => text !== '')
  }
  return lists
}
