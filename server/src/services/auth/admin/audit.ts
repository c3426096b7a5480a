import type { AuthResponse, Call } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import { isStorable } from '../parse/body.ts'
import { type AuditFilter, listAudit } from '../store/audit.ts'
import type { AdminDeps } from './deps.ts'
import { parsePage, renderPageHeaders, rowsOf } from './pages.ts'

const scopes: Readonly<Record<string, AuditFilter['fields']>> = {
  author: ['actor_username', 'actor_name'],
  action: ['action'],
  type: ['log_type'],
}

/** `GET /admin/audit` (auth §18). */
export async function adminListAudit(
  deps: AdminDeps,
  { context }: Pick<Call, 'context'>,
  query: URLSearchParams,
): Promise<AuthResponse> {
  await deps.checkAdmin(context)
  const page = parsePage(query)
  const filter = parseFilter(query.get('query') ?? '')
  const { entries, total } = await listAudit(deps.database.for(context), filter, rowsOf(page))
  return {
    status: 200,
    body: entries.map(({ id, payload, createdAt, ipAddress }) => ({
      id,
      payload,
      created_at: createdAt?.toISOString() ?? null,
      ip_address: ipAddress,
    })),
    headers: renderPageHeaders('/admin/audit', query, page, total),
  }
}

/** Reads `author:ann`; null for the empty text. */
function parseFilter(raw: string): AuditFilter | null {
  if (raw === '') return null
  const [, scope = '', text = ''] = /^([^:]*):(.*)$/s.exec(raw) ?? []
  const fields = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined
  if (fields === undefined || !isStorable(text))
    throw authError('validation_failed', { message: `Invalid query scope: ${raw}` })
  return { fields, text }
}
