import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { authError } from '../model/errors.ts'
import type { Cursor } from '../store/list-users.ts'

const defaultLimit = 50
const maxLimit = 1000

/** Where a page begins that is not counted, and how long it may be. */
export interface CursorPage {
  readonly after: Cursor | null
  readonly limit: number
}

/**
 * Reads `limit` and `cursor` (auth §18, experimental).
 *
 * @throws validation_failed
 */
export function parseCursorPage(query: URLSearchParams): CursorPage {
  const limit = query.get('limit') || String(defaultLimit)
  if (!/^\d{1,9}$/.test(limit) || Number(limit) === 0) throw bad('limit must be greater than 0')
  const cursor = query.get('cursor') || null
  return { limit: Math.min(maxLimit, Number(limit)), after: cursor === null ? null : parseCursor(cursor) }
}

const bad = (what: string) => authError('validation_failed', { message: `Bad Pagination Parameters: ${what}` })

function parseCursor(raw: string): Cursor {
  const { created_at, id } = decode(raw)
  const createdAt = new Date(typeof created_at === 'string' ? created_at : Number.NaN)
  if (typeof id !== 'string' || !isUuid(id) || Number.isNaN(createdAt.getTime())) throw bad('invalid cursor')
  return { createdAt, id }
}

function decode(raw: string): { readonly created_at?: unknown; readonly id?: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(raw, 'base64url').toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch (cause) {
    throw authError('validation_failed', { message: 'Bad Pagination Parameters: invalid cursor encoding', cause })
  }
}

/** A cursor as clients pass it back. */
export const renderCursor = ({ createdAt, id }: Cursor): string =>
  Buffer.from(JSON.stringify({ created_at: createdAt.toISOString(), id })).toString('base64url')

/** `Link` to the next page. */
export function renderCursorHeaders(path: string, query: URLSearchParams, next: string): { readonly link: string } {
  const others = [...query].filter(([name]) => !['page', 'cursor', 'apikey'].includes(name))
  return { link: `<${path}?${new URLSearchParams([...others, ['cursor', next]]).toString()}>; rel="next"` }
}
