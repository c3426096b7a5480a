import type { SchemaPolicy, SchemaTable } from '../../lib/api/schema.ts'
import { quotedName } from '../../schema/quoted-name.ts'

/** What a form of a policy begins with. */
export type PolicyDraft = Omit<SchemaPolicy, 'roles'> & { readonly roles: readonly string[] }

/** A policy that many tables need, written for one. */
export interface PolicyTemplate {
  readonly title: string
  readonly policy: PolicyDraft
}

/** Names of columns that usually name a row's user, and its team. */
const ownerNames = ['user_id', 'owner_id', 'owner', 'author_id', 'created_by', 'profile_id']
const teamNames = ['team_id', 'organization_id', 'org_id', 'workspace_id', 'account_id', 'project_id']

const columnOf = ({ columns }: SchemaTable, names: readonly string[]): string | undefined =>
  names.find((name) => columns.some((column) => column.name === name))

/** The column that names the user whose row it is. */
function ownerColumn(table: SchemaTable): string {
  const reference = table.constraints.find(
    ({ references }) => references?.schema === 'auth' && references.table === 'users',
  )
  return quotedName(reference?.columns[0] ?? columnOf(table, ownerNames) ?? 'user_id')
}

/** The policies that are offered for a table. What `(select …)` wraps is computed once for all rows. */
export function templatesFor(table: SchemaTable): readonly PolicyTemplate[] {
  const own = `${ownerColumn(table)} = (select auth.uid())`
  const team = quotedName(columnOf(table, teamNames) ?? 'team_id')
  const isMember = `${team} in (select m.${team} from team_members m where m.user_id = (select auth.uid()))`
  const anyone: Pick<PolicyDraft, 'permissive' | 'roles'> = { permissive: true, roles: ['public'] }
  const users: typeof anyone = { permissive: true, roles: ['authenticated'] }
  return [
    template('Users read and write their own rows', {
      ...users,
      name: 'own rows',
      command: 'all',
      using: own,
      check: own,
    }),
    template('Users read their own rows', {
      ...users,
      name: 'read own rows',
      command: 'select',
      using: own,
      check: null,
    }),
    template('Users insert rows of their own', {
      ...users,
      name: 'insert own rows',
      command: 'insert',
      using: null,
      check: own,
    }),
    template('Members of a team read and write its rows', {
      ...users,
      name: 'rows of the team',
      command: 'all',
      using: isMember,
      check: isMember,
    }),
    template('Everyone reads', { ...anyone, name: 'everyone reads', command: 'select', using: 'true', check: null }),
    template('Signed-in users read', {
      ...users,
      name: 'signed-in users read',
      command: 'select',
      using: 'true',
      check: null,
    }),
    template('The service role alone', {
      name: 'service role alone',
      permissive: false,
      command: 'all',
      roles: ['anon', 'authenticated'],
      using: 'false',
      check: 'false',
    }),
    template('Only with a second factor', {
      name: 'second factor',
      permissive: false,
      command: 'all',
      roles: ['authenticated'],
      using: `(select auth.jwt() ->> 'aal') = 'aal2'`,
      check: null,
    }),
  ]
}

const template = (title: string, policy: PolicyDraft): PolicyTemplate => ({ title, policy })
