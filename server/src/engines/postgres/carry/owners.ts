import { compile } from '../../../ground/sql/postgres.ts'
import { identifier, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import type { CarriedServer } from './carried-server.ts'

/** A table, or a domain, and who it belongs to. */
export interface Owned {
  readonly schema: string
  readonly name: string
  readonly owner: string
  readonly isOwnerSuperuser: boolean
}

/** Connections of owners to a new cluster, one at a time, with what each needs for its own table. */
export interface Owners {
  /** @param stores whether rows are stored in it */
  connectionOf(owned: Owned, stores: boolean): Promise<BulkConnection>
  /** Closes the connection, and takes back what was granted. */
  close(): Promise<void>
}

/** What the owner of a table may be lacking to store its rows. */
interface Lacking {
  readonly connect: boolean
  readonly usage: boolean
  readonly insert: boolean
}

/**
 * Opens connections of owners as they are needed. Code of the application that runs there has its owner's rights and no more:
 * a superuser who only takes the role of another could be had back.
 *
 * @param own of the superuser
 */
export function createOwners(to: CarriedServer, database: string, own: BulkConnection): Owners {
  let current: { readonly owner: string; readonly connection: BulkConnection } | null = null
  const granted: SqlFragment[] = []
  const grantMissing = async (owned: Owned, stores: boolean): Promise<void> => {
    const { connect, usage, insert } = await findLacking(own, database, owned, stores)
    const rights = [
      connect ? sql`connect on database ${identifier(database)}` : null,
      usage ? sql`usage on schema ${identifier(owned.schema)}` : null,
      insert ? sql`insert on table ${identifier(owned.schema, owned.name)}` : null,
    ]
    for (const right of rights) {
      if (right === null) continue
      await own.query(compile(sql`grant ${right} to ${identifier(owned.owner)}`))
      granted.push(sql`revoke ${right} from ${identifier(owned.owner)}`)
    }
  }
  const closeCurrent = async (): Promise<void> => {
    await current?.connection.close()
    current = null
  }
  return {
    async connectionOf(owned, stores) {
      if (owned.isOwnerSuperuser) return own
      await grantMissing(owned, stores)
      if (current?.owner !== owned.owner) {
        await closeCurrent()
        current = { owner: owned.owner, connection: await to.openAs(owned.owner, database) }
      }
      return current.connection
    },
    async close() {
      await closeCurrent()
      for (const statement of granted) await own.query(compile(statement))
    },
  }
}

async function findLacking(
  { query }: BulkConnection,
  database: string,
  { owner, schema, name }: Owned,
  stores: boolean,
): Promise<Lacking> {
  const { rows } = await query<Lacking>(
    compile(sql`
      select not has_database_privilege(${owner}::name, ${database}::text, 'connect') as connect,
        not has_schema_privilege(${owner}::name, ${schema}::text, 'usage') as usage,
        ${stores}::boolean and not has_table_privilege(${owner}::name, format('%I.%I', ${schema}::text, ${name}::text), 'insert') as insert`),
  )
  return rows[0] ?? { connect: false, usage: false, insert: false }
}
