import type pg from 'pg'
import type { Prepared } from '../wire/pipelined-batch.ts'
import { PreparedStatements } from '../wire/prepared-statements.ts'

/** Where a statement runs: within a transaction its room may have taken another role, and each role has its own plans. */
export type Place = 'alone' | 'in a transaction'

/** What the connections of a pool keep of the statements that `pg` sends for us. */
export interface NamedStatements {
  /** The statement of a text on a connection; whoever sends it first prepares it. */
  get(client: pg.PoolClient, text: string, place: Place): Prepared
  /** The database is another one now: every connection prepares anew, each when it is used next. */
  renew(): void
}

interface Connection {
  readonly prepared: PreparedStatements
  age: number
}

/** Begins with nothing kept. */
export function createNamedStatements(): NamedStatements {
  const known = new WeakMap<pg.PoolClient, Connection>()
  let age = 0
  return {
    get(client, text, place) {
      let connection = known.get(client)
      if (connection === undefined) {
        connection = { prepared: new PreparedStatements(), age }
        known.set(client, connection)
      }
      const { prepared } = connection
      if (connection.age !== age) {
        connection.age = age
        prepared.dropAll()
      }
      const statement = prepared.get(text, place)
      for (const name of prepared.takeDropped()) close(client, name)
      return statement
    },
    renew() {
      age += 1
    },
  }
}

/** Travels with the next statement. `pg` would remember the text for ever otherwise; its types leave that out. */
function close({ connection }: pg.PoolClient, name: string): void {
  connection.close({ type: 'S', name }, true)
  const { parsedStatements } = connection as unknown as { readonly parsedStatements: Record<string, string> }
  delete parsedStatements[name]
}
