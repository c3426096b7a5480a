import type pg from 'pg'
import type { ChangeCause } from '../../../ground/model/change.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql as statement } from '../../../ground/sql/sql.ts'
import { type Login, openClient, processIdOf } from '../connection/connections.ts'
import type { Commands, Sql } from '../postgres.ts'
import { authAdmin, authenticator } from '../server/roles.ts'
import { type MarkPlan, markedCommand, planMark, proceduresAreAtomic } from './command-mark.ts'
import { CommandQuery } from './command-query.ts'
import { holdLock } from './hold-lock.ts'

export interface CommandsOptions {
  readonly login: Login
  readonly role: string
  readonly sql: Sql
}

export function createCommands({ login, role: owner, sql }: CommandsOptions): Commands {
  return {
    sql,
    async open(role, database) {
      if (role !== owner) await requireOwnersRole(sql, role)
      const client = await openClient({ ...login, user: role, database }, 'pg_cron')
      return {
        processId: processIdOf(client),
        async run(text, cause) {
          const plan = cause === undefined ? null : await planFor(client, text)
          const marked = plan === null || cause === undefined ? null : markedCommand(plan, cause)
          // What such a command asks for later (requests of pg_net, webhooks) names the run all the same. Its rows do not: the
          // change stream knows a transaction by what stands in it. A replication origin could mark whole sessions, but
          // PostgreSQL has room for a few at a time, and leaves setting them up to superusers.
          if (marked === null && cause !== undefined) await nameCause(client, cause)
          const query = marked === null ? new CommandQuery(text) : new CommandQuery(marked.text, marked.marks)
          client.query(query)
          return query.outcome
        },
        end: () => client.end(),
      }
    },
    hold: (key, events) => holdLock(login, key, events),
  }
}

/** Names the cause of everything that the session does: its connection is the command's own. */
async function nameCause(client: pg.Client, { id }: ChangeCause): Promise<void> {
  // The command itself tells of a connection that has ended.
  await client.query(`select pg_catalog.set_config('clew.cause', $1, false)`, [id]).catch(() => undefined)
}

/** Commands run as no role that the application's owner could not act for: not as a superuser, nor as one of Clew's own. */
async function requireOwnersRole(sql: Sql, role: string): Promise<void> {
  const { rows } = await sql.query<{ may: boolean }>(ownersRoleStatement(role))
  if (rows[0]?.may !== true) throw new Error(`role "${role}" can not run commands here`)
}

const ownersRoleStatement = (role: string): Statement =>
  compile(statement`
    select not rolsuper and rolname <> all (${[authenticator, authAdmin]}) and pg_catalog.pg_has_role(current_user, oid, 'member') as may
    from pg_catalog.pg_roles
    where rolname = ${role}`)

async function planFor(client: pg.Client, text: string): Promise<MarkPlan | null> {
  const plan = planMark(text)
  if (plan === null || !plan.needsAtomicProcedures) return plan
  try {
    const { rows } = await client.query<{ atomic: boolean }>(proceduresAreAtomic)
    return rows[0]?.atomic === true ? plan : null
  } catch {
    // The command itself tells of a connection that has ended.
    return null
  }
}
