import type { Change, RequestDetail } from '../../lib/api/schemas.ts'

type Made = Pick<RequestDetail, 'request' | 'changes'>

/** Operations whose rows a method sends. */
const operations: Readonly<Record<string, Change['operation']>> = { POST: 'insert', PATCH: 'update' }

/**
 * What a request of the data API sent, as its rows tell: bodies are not kept. The inserted rows with all their columns, or
 * the changed columns of the first updated one; null where no row tells.
 */
export function bodyOfRows({ request, changes }: Made): unknown {
  const table = /^\/rest\/v1\/([^/]+)$/.exec(request.path)?.[1]
  if (request.service !== 'rest' || table === undefined) return null
  const own = changes.filter((change) => change.table === table && change.operation === operations[request.method])
  const rows = own.flatMap((change) => {
    if (change.new === null) return []
    const columns = request.method === 'PATCH' ? change.columns : Object.keys(change.new)
    const known = columns.flatMap((name) =>
      change.new?.[name] === undefined ? [] : [[name, change.new[name]] as const],
    )
    return known.length === 0 ? [] : [Object.fromEntries(known)]
  })
  if (rows.length === 0) return null
  return request.method === 'PATCH' || rows.length === 1 ? rows[0] : rows
}
