import type { RowValues } from '../../../ground/model/change.ts'
import { redacted, secretParameters } from '../../../ground/privacy/secrets.ts'
import { hashed } from '../masking/hash.ts'

/** Part of each such name, or of one that is encoded: most query strings need not be taken apart. */
const maySaySecret = /key|token|password|secret|code|jwt|verifier|%/i

/**
 * Replaces the values of parameters that are credentials; all else stays byte for byte as it came.
 *
 * @param query   a query string without `?`, or a fragment without `#`; undecoded
 * @param service the service that answered: `code` is a one-time code everywhere but on the data API, where it is a column
 */
export function redactQuery(query: string, service: string): string {
  if (query === '' || !maySaySecret.test(query)) return query
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      if (equals === -1) return pair
      const name = decodedName(pair.slice(0, equals))
      const secret = secretParameters.has(name) || (name === 'code' && service !== 'rest') || name.endsWith('password')
      return secret ? `${pair.slice(0, equals)}=${redacted}` : pair
    })
    .join('&')
}

/** Replaces credentials in the query string and the fragment of an address that a browser reports. */
export function redactUrl(href: string): string {
  const [beforeHash = '', ...hash] = href.split('#')
  const [path = '', ...query] = beforeHash.split('?')
  const search = query.length > 0 ? `?${redactQuery(query.join('?'), '')}` : ''
  const fragment = hash.length > 0 ? `#${redactQuery(hash.join('#'), '')}` : ''
  return path + search + fragment
}

/** The name of a parameter or a field, decoded, in lower case. */
export function decodedName(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase()
  } catch {
    return name.toLowerCase()
  }
}

/** Of auth's own tables only these columns are ever kept: what is new there is secret until it is named here. */
export const authColumns: ReadonlySet<string> = new Set(
  (
    'id user_id aud role email phone provider provider_id created_at updated_at confirmed_at email_confirmed_at ' +
    'phone_confirmed_at invited_at last_sign_in_at banned_until deleted_at is_anonymous is_sso_user aal not_after ' +
    'refreshed_at revoked session_id authentication_method factor_type status token_type'
  ).split(' '),
)

/** Decides which columns' values may be kept. */
export interface ColumnGuard {
  /** False for tables of which nothing at all is kept. */
  keepsTable(schema: string): boolean
  isSecret(schema: string, table: string, column: string): boolean
  /** Whether a value is larger than the limit. */
  isTooLarge(value: string): boolean
  /** A primary key, its secret columns replaced by a hash: still one row's own, no longer usable. */
  key(schema: string, table: string, key: RowValues): RowValues
}

/**
 * The guard for the patterns of the setting `secretColumns`: a column's name, `table.column` or
 * `schema.table.column`, with `*` for any letters, capitals alike.
 */
export function createColumnGuard(patterns: readonly string[], maxValueBytes: number): ColumnGuard {
  const expressions = patterns.map((pattern) => ({
    depth: pattern.split('.').length,
    expression: columnExpression(pattern),
  }))
  /** What was decided, by schema, table and column: three looks cost less than one by a name made of them. */
  const known = new Map<string, Map<string, Map<string, boolean>>>()
  let columnsKnown = 0

  const within = <Value>(maps: Map<string, Map<string, Value>>, name: string): Map<string, Value> => {
    const before = maps.get(name)
    if (before !== undefined) return before
    const made = new Map<string, Value>()
    maps.set(name, made)
    return made
  }
  const isSecret = (schema: string, table: string, column: string): boolean => {
    if (schema === 'auth') return !authColumns.has(column)
    const columns = within(within(known, schema), table)
    const before = columns.get(column)
    if (before !== undefined) return before
    const secret = expressions.some(({ depth, expression }) =>
      expression.test([schema, table, column].slice(-Math.min(depth, 3)).join('.')),
    )
    columns.set(column, secret)
    columnsKnown += 1
    if (columnsKnown > 10_000) {
      known.clear()
      columnsKnown = 0
    }
    return secret
  }

  return {
    // Our own tables hold operators' passwords and sessions; vaults hold nothing else.
    keepsTable: (schema) => !schema.startsWith('clew_') && schema !== 'vault' && !schema.startsWith('pg_'),
    isSecret,
    isTooLarge: (value) => value.length * 3 > maxValueBytes && Buffer.byteLength(value) > maxValueBytes,
    key(schema, table, key) {
      const redacted: Record<string, string | null> = {}
      for (const [column, value] of Object.entries(key))
        redacted[column] = value !== null && isSecret(schema, table, column) ? hashed(value) : value
      return redacted
    },
  }
}

/** A pattern of the setting `secretColumns`: `*` stands for any letters, capitals are alike. */
export const columnExpression = (pattern: string): RegExp =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'i')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
