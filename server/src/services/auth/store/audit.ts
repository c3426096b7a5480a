import type { Sql } from '../../../engines/postgres/index.ts'
import type { RequestWork } from '../../../ground/model/request.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'

const logTypes = {
  login: 'account',
  logout: 'account',
  user_signedup: 'team',
  user_repeated_signup: 'user',
  user_confirmation_requested: 'user',
  user_recovery_requested: 'user',
  user_modified: 'user',
  user_updated_password: 'user',
  token_refreshed: 'token',
  token_revoked: 'token',
} as const

export type AuditAction = keyof typeof logTypes

/** Who did it. */
export interface Actor {
  readonly id: string
  readonly email: string | null
  readonly isSsoUser: boolean
}

/** Writes lines of the audit log; `traits` say more and never hold a secret. */
export async function insertAudit(
  on: Sql,
  actor: Actor,
  actions: readonly AuditAction[],
  deps: { readonly newId: () => string; readonly now: Date; readonly work: RequestWork },
  traits?: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const action of actions) {
    const payload = {
      action,
      actor_id: actor.id,
      actor_username: actor.email ?? '',
      actor_via_sso: actor.isSsoUser,
      log_type: logTypes[action],
      ...(traits === undefined ? {} : { traits }),
    }
    await on.query(
      compile(sql`
        insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
        values (
          '00000000-0000-0000-0000-000000000000', ${deps.newId()}, ${JSON.stringify(payload)}, ${deps.now},
          ${deps.work.remoteAddress}
        )`),
      deps.work,
    )
  }
}
