import type pg from 'pg'
import type { Prepared } from '../wire/pipelined-batch.ts'
import { PreparedStatements } from '../wire/prepared-statements.ts'

/** Within a transaction a service may have taken another role, and each role has its own plans. */
export type TransactionScope = 'alone' | 'in a transaction'

/** Names of the statements that the connections of a pool have prepared through `pg`. */
export interface NamedStatements {
  /** The statement of a text on a connection, prepared when it is sent first. */
  get(client: pg.PoolClient, text: string, scope: TransactionScope): Prepared
  /** After a change of the database: every connection prepares its statements again. */
  renew(): void
}

interface Connection {
  readonly prepared: PreparedStatements
  age: number
}

export function createNamedStatements(): NamedStatements {
  const known = new WeakMap<pg.PoolClient, Connection>()
  let age = 0
  return {
    get(client, text, scope) {
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
      const statement = prepared.get(text, scope)
      for (const name of prepared.takeDropped()) close(client, name)
      return statement
    },
    renew() {
      age += 1
    },
  }
}

/** Sends Close with the next statement. `pg` would keep the text for ever; its types leave that out. */
function close({ connection }: pg.PoolClient, name: string): void {
  connection.close({ type: 'S', name }, true)
  const { parsedStatements } = connection as unknown as { readonly parsedStatements: Record<string, string> }
  delete parsedStatements[name]
}
