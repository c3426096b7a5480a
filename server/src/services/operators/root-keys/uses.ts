import type { Sql } from '../../../engines/postgres/index.ts'
import { countsOf, type RootKeyUse, renewEach } from '../../../ground/ids/root-key-use.ts'
import type { RootKeys } from '../../../ground/ids/root-keys.ts'
import type { RootSealing } from '../../../ground/ids/root-sealing.ts'
import {
  type Counted,
  countStatement,
  endStatement,
  nameHashesStatement,
  namePasswordsStatement,
  selectAppsStatement,
  updateAppStatement,
} from './store.ts'

const recoveryCodes = { table: 'operator_recovery_codes', column: 'code_hash' } as const
const invitations = { table: 'invitations', column: 'token_hash' } as const
const accessTokens = { table: 'access_tokens', column: 'token_hash' } as const
const sessions = { table: 'operator_sessions', column: 'token_hash' } as const
const setupTokens = { table: 'setup_tokens', column: 'token_hash' } as const
const apps = { table: 'operator_totp', column: 'sealed_secret' } as const
const passwords = { table: 'operators', column: 'password_hash' } as const

/** Names the root key of what is from before it was named: the oldest, as it was the only one then. */
export async function nameRootKeys(sql: Sql, roots: RootKeys): Promise<void> {
  const oldest = roots().at(-1)?.id
  if (oldest === undefined) return
  for (const each of [recoveryCodes, invitations, accessTokens, sessions, setupTokens, apps])
    await sql.query(nameHashesStatement(each, oldest))
  await sql.query(namePasswordsStatement(oldest))
}

/** What the team keeps under root keys. A hash is made anew when what it is of is used. */
export const operatorKeyUses = (
  sql: Sql,
  { renew }: Pick<RootSealing, 'renew'>,
  isCurrent: (rootId: string) => boolean,
): readonly RootKeyUse[] => [
  {
    ...useOf(sql, 'authenticator apps of operators', apps),
    async renew() {
      const { rows } = await sql.query<{ id: string; sealed: string; rootId: string }>(selectAppsStatement())
      const earlier = rows.filter(({ rootId }) => !isCurrent(rootId))
      await renewEach(earlier, ({ id, sealed }) => sql.query(updateAppStatement(id, sealed, renew(sealed))))
    },
  },
  // Nothing is to be ended: no password matches a hash whose root key is gone.
  { ...useOf(sql, 'passwords of operators', passwords), end: async () => undefined },
  useOf(sql, 'recovery codes of operators', recoveryCodes),
  useOf(sql, 'sessions of operators', sessions),
  useOf(sql, 'access tokens', accessTokens),
  useOf(sql, 'invitations', invitations),
]

const useOf = (sql: Sql, name: string, counted: Counted): RootKeyUse => ({
  name,
  renew: null,
  count: async () => countsOf((await sql.query<{ rootId: string; count: number }>(countStatement(counted))).rows),
  async end(rootId) {
    await sql.query(endStatement(counted, rootId))
  },
})
