import { type Login, openClient, processIdOf } from '../connection/connections.ts'
import type { Commands, Sql } from '../postgres.ts'
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
        run: (text) => {
          const query = new CommandQuery(text)
          client.query(query)
          return query.outcome
        },
        end: () => client.end(),
      }
    },
    hold: (key, events) => holdLock(login, key, events),
  }
}
