import type { AuthResponse, Call, RequestContext } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { UserRow } from '../model/user.ts'
import { isStorable } from '../parse/body.ts'
import { renderUser } from '../render/user.ts'
import { listUsers, listUsersAfter, type WantedUsers } from '../store/list-users.ts'
import { audienceOf } from '../users/audience.ts'
import { parseCursorPage, renderCursor, renderCursorHeaders } from './cursor.ts'
import type { AdminDeps } from './deps.ts'
import { parsePage, renderPageHeaders, rowsOf } from './pages.ts'

/** `GET /admin/users` (auth §18). */
export async function adminListUsers(
  deps: AdminDeps,
  { context }: Pick<Call, 'context'>,
  query: URLSearchParams,
): Promise<AuthResponse> {
  await deps.checkAdmin(context)
  const ascending = parseSort(query.getAll('sort'))
  const filter = query.get('filter') ?? ''
  if (!isStorable(filter)) throw authError('validation_failed', { message: 'Bad filter' })
  const wanted = { audience: audienceOf(context, deps.settings), filter, ascending }
  const asksForPage = (query.get('page') ?? '') !== '' || (query.get('per_page') ?? '') !== ''
  return deps.settings.adminCursorPagination && !asksForPage
    ? listByCursor(deps, wanted, query, context)
    : listByPage(deps, wanted, query, context)
}

async function listByPage(
  deps: AdminDeps,
  wanted: WantedUsers,
  query: URLSearchParams,
  context: RequestContext,
): Promise<AuthResponse> {
  const page = parsePage(query)
  const { users, total } = await listUsers(deps.database.for(context), wanted, rowsOf(page))
  return {
    status: 200,
    body: { users: users.map(renderListed), aud: wanted.audience },
    headers: renderPageHeaders('/admin/users', query, page, total),
  }
}

async function listByCursor(
  deps: AdminDeps,
  wanted: WantedUsers,
  query: URLSearchParams,
  context: RequestContext,
): Promise<AuthResponse> {
  const { after, limit } = parseCursorPage(query)
  // One more than is answered says whether there are more.
  const found = await listUsersAfter(deps.database.for(context), wanted, after, limit + 1)
  const users = found.slice(0, limit)
  const last = found.length > limit ? users.at(-1) : undefined
  const next = last === undefined ? null : renderCursor({ createdAt: last.createdAt ?? deps.now(), id: last.id })
  return {
    status: 200,
    body: {
      users: users.map(renderListed),
      aud: wanted.audience,
      pagination: { ...(next === null ? {} : { next_cursor: next }), has_more: next !== null },
    },
    ...(next === null ? {} : { headers: renderCursorHeaders('/admin/users', query, next) }),
  }
}

/** Null instead of a list of identities, as the protocol's own server has it. */
const renderListed = (user: UserRow) => ({ ...renderUser(user), identities: null })

/** `created_at asc` or `created_at desc`; newest first where nothing is said. */
function parseSort(values: readonly string[]): boolean {
  const [first] = values.filter((value) => value !== '')
  if (first === undefined) return false
  const [field, direction = 'asc', ...more] = first.split(' ')
  if (field !== 'created_at' || more.length > 0)
    throw authError('validation_failed', { message: `Bad Sort Parameters: bad field for sort '${field}'` })
  if (!/^(asc|desc)$/i.test(direction))
    throw authError('validation_failed', { message: `Bad Sort Parameters: bad direction for sort '${direction}'` })
  return direction.toLowerCase() === 'asc'
}

/** `GET /admin/users/{id}` (auth §18). */
export async function adminGetUser(
  deps: AdminDeps,
  { context }: Pick<Call, 'context'>,
  id: string,
): Promise<AuthResponse> {
  await deps.checkAdmin(context)
  return { status: 200, body: renderUser(await deps.getUserOfPath(id, context)) }
}
