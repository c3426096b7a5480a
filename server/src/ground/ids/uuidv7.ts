import { randomBytes } from 'node:crypto'

/**
 * A UUID version 7: milliseconds since 1970, then random bits, so that ids sort by time.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export function uuidv7(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0')
  const random = randomBytes(10)
  random[0] = ((random[0] ?? 0) & 0x0f) | 0x70
  random[2] = ((random[2] ?? 0) & 0x3f) | 0x80
  const hex = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`
}

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID of any version. */
export const isUuid = (text: string): boolean => pattern.test(text)
