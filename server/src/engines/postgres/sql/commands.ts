import type pg from 'pg'
import { type Login, openClient, processIdOf } from '../connection/connections.ts'
import type { Commands, Sql } from '../postgres.ts'
import { markedCommand, planMark, proceduresAreAtomic } from './command-mark.ts'
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
      if (role !== owner) throw new Error(`role "${role}" can not log in here; jobs run as "${owner}"`)
      const client = await openClient({ ...login, database }, 'pg_cron')
      return {
        processId: processIdOf(client),
        async run(text, cause) {
          const isMarked = cause !== undefined && (await mayMark(client, text))
          const query = new CommandQuery(isMarked ? markedCommand(text, cause) : text, { skipsResult: isMarked })
          client.query(query)
          return query.outcome
        },
        end: () => client.end(),
      }
    },
    hold: (key, events) => holdLock(login, key, events),
  }
}

async function mayMark(client: pg.Client, text: string): Promise<boolean> {
  const plan = planMark(text)
  if (plan !== 'where procedures are atomic') return plan === 'always'
  try {
    const { rows } = await client.query<{ atomic: boolean }>(proceduresAreAtomic)
    return rows[0]?.atomic === true
  } catch {
    // The command itself tells of a connection that has ended.
    return false
  }
}
