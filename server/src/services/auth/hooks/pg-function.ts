import { sqlStateOf } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../ground/sql/sql.ts'
import type { RequestSql } from '../store/database.ts'
import { hookError } from './errors.ts'
import type { HookTarget } from './target.ts'

/**
 * Calls a hook that is a function of the database, inside a transaction that has become `supabase_auth_admin` already:
 * that role needs usage of the schema and execution of the function (auth §27).
 *
 * @returns the answer's JSON text; null for SQL's null
 * @throws  hook_timeout when the function ran too long; what the function raised, as the database says it
 */
export async function callFunctionHook(
  on: RequestSql,
  { schema, name }: Extract<HookTarget, { kind: 'function' }>,
  body: string,
  timeoutMs: number,
): Promise<string | null> {
  const before = await limitTime(on, String(timeoutMs))
  try {
    const { rows } = await on.query<{ answer: string | null }>(callFunctionStatement(schema, name, body))
    return rows[0]?.answer ?? null
  } catch (cause) {
    // query_canceled
    if (sqlStateOf(cause) === '57014')
      throw hookError('hook_timeout', {
        message: `Failed to reach hook within maximum time of ${(timeoutMs / 1000).toFixed(6)} seconds`,
        cause,
      })
    throw cause
  } finally {
    // In a transaction that failed nothing runs any more, and its settings end with it.
    await limitTime(on, before).catch(() => undefined)
  }
}

const callFunctionStatement = (schema: string, name: string, body: string): Statement =>
  compile(sql`select ${identifier(schema, name)}(${typed(body, 'jsonb')})::text as answer`)

const setTimeoutStatement = (timeout: string): Statement =>
  compile(sql`
    with before as materialized (select current_setting('statement_timeout') as value)
    select before.value as before, set_config('statement_timeout', ${timeout}, true) from before`)

/** Sets how long a statement may run until the transaction ends, and answers what it was. */
async function limitTime(on: RequestSql, timeout: string): Promise<string> {
  const { rows } = await on.queryUnrecorded<{ before: string }>(setTimeoutStatement(timeout))
  return rows[0]?.before ?? '0'
}
