import { constant, empty, identifier, join, type SqlFragment, sql, written } from '../../../ground/sql/sql.ts'
import type { ChangeOf } from './change.ts'

type PolicyChange = ChangeOf<'create policy' | 'change policy' | 'drop policy'>

/** `public` is every role, and no name of one. */
const roleList = (roles: readonly string[]): SqlFragment =>
  join(roles.map((role) => (role === 'public' ? sql`public` : identifier(role))))

const clause = (words: 'using' | 'with check', expression: string | null): SqlFragment =>
  expression === null ? empty : sql`\n  ${constant(words)} (${written(expression)})`

/** The statements of a change of a policy. */
export function policyStatements(change: PolicyChange): readonly SqlFragment[] {
  const table = identifier(change.schema, change.table)
  const policy = sql`policy ${identifier(change.name)} on ${table}`
  switch (change.kind) {
    case 'create policy': {
      const restrictive = change.permissive ? empty : sql` as restrictive`
      const { command, roles } = change
      return [
        sql`create ${policy}${restrictive}\n  for ${constant(command)} to ${roleList(roles)}${clause('using', change.using)}${clause('with check', change.check)}`,
      ]
    }
    case 'change policy': {
      const { to } = change
      const renamed = to.name === change.name ? [] : [sql`alter ${policy} rename to ${identifier(to.name)}`]
      return [
        sql`alter ${policy}\n  to ${roleList(to.roles)}${clause('using', to.using)}${clause('with check', to.check)}`,
        ...renamed,
      ]
    }
    case 'drop policy':
      return [sql`drop ${policy}`]
  }
}
