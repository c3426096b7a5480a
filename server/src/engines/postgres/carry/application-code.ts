import { compile } from '../../../ground/sql/postgres.ts'
import { withoutLeading } from '../../../ground/sql/split.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { runAll } from './definitions.ts'

const givesFunction = /^ALTER (?:FUNCTION|PROCEDURE) /

/** Functions of the application: those that no superuser owns. */
const ofApplication = sql`
  oid >= 16384 and prokind in ('f', 'p') and not (select r.rolsuper from pg_authid r where r.oid = proowner)`

/**
 * Runs definitions as the superuser, in which the application's functions do not have its rights. PostgreSQL computes what is
 * constant in an expression as it is defined, and so calls functions. Meanwhile each runs as its owner (`security definer`), from
 * where there is no way back to the superuser.
 */
export async function defineGuarded(
  own: BulkConnection,
  statements: readonly string[],
  definers: readonly string[],
): Promise<void> {
  await makeDefiners(own)
  await runAll(own, statements, async (text) => {
    if (givesFunction.test(withoutLeading(text))) await makeDefiners(own)
  })
  await own.query(
    compile(sql`
      update pg_proc
      set prosecdef = false
      where ${ofApplication} and prosecdef and not oid::regprocedure::text = any(${definers}::text[])`),
  )
}

const makeDefiners = ({ query }: BulkConnection): Promise<unknown> =>
  query(compile(sql`update pg_proc set prosecdef = true where ${ofApplication} and not prosecdef`))

/** Functions of a database that run as their owner always. */
export async function readDefiners({ query }: BulkConnection): Promise<readonly string[]> {
  const { rows } = await query<{ name: string }>(
    compile(sql`select oid::regprocedure::text as name from pg_proc where oid >= 16384 and prosecdef`),
  )
  return rows.map(({ name }) => name)
}
