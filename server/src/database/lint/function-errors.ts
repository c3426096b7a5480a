import { type Sql, sqlStateOf } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { Statement } from '../../ground/sql/postgres.ts'

/** A mistake in the body of a function. */
export interface FunctionIssue {
  readonly level: 'warning' | 'error'
  readonly message: string
  readonly sqlState: string
  readonly hint: string
  readonly lineNumber: number | null
}

/** A function with its mistakes, as the Supabase CLI prints them. */
export interface FunctionIssues {
  readonly function: string
  readonly issues: readonly FunctionIssue[]
}

interface ProjectFunction {
  readonly oid: number
  readonly name: string
  readonly language: string
  readonly validator: number
  /** Whether it is a trigger's, which `plpgsql_check` is told the table of. */
  readonly is_trigger: boolean
}

const selectFunctionsStatement = (schemas: readonly string[]): Statement => ({
  text: `
    select p.oid::int8::int4 as oid, p.oid::regprocedure::text as name, l.lanname::text as language,
      l.lanvalidator::int8::int4 as validator, p.prorettype in ('trigger'::regtype, 'event_trigger'::regtype) as is_trigger
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_language l on l.oid = p.prolang
    where l.lanname in ('sql', 'plpgsql') and l.lanvalidator <> 0 and p.prokind in ('f', 'p')
      and pg_catalog.pg_has_role(p.proowner, 'usage')
      and case when pg_catalog.cardinality($1::text[]) > 0 then n.nspname = any ($1)
        else n.nspname !~ '^(pg_|clew)' and n.nspname not in ('information_schema', 'auth', 'cron', 'extensions', 'graphql',
          'graphql_public', 'net', 'pgmq', 'realtime', 'storage', 'supabase_functions', 'vault') end
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
      )
    order by 2`,
  values: [schemas],
})

/** The language's own check of a body, as `create function` does it, with the names that are there now. */
const validateStatement = ({ language, oid }: ProjectFunction): Statement => ({
  text: language === 'sql' ? 'select pg_catalog.fmgr_sql_validator($1)' : 'select pg_catalog.plpgsql_validator($1)',
  values: [oid],
})

const checkStatement = ({ oid }: ProjectFunction): Statement => ({
  text: 'select level, message, sqlstate, hint, lineno from plpgsql_check_function_tb($1::oid::regprocedure)',
  values: [oid],
})

interface CheckRow {
  readonly level: string
  readonly message: string
  readonly sqlstate: string | null
  readonly hint: string | null
  readonly lineno: number | null
}

/**
 * Looks for mistakes in the bodies of functions: by `plpgsql_check` where the server has it, which knows the tables that
 * a body names; otherwise by the checks of the languages themselves. Nothing is changed.
 *
 * @param schemas those whose functions are looked at; all of the project where there is none
 */
export async function readFunctionIssues(
  database: Sql,
  schemas: readonly string[],
): Promise<readonly FunctionIssues[]> {
  const found: FunctionIssues[] = []
  await database
    .transaction(async (tx) => {
      await tx.query({ text: 'set local check_function_bodies = on', values: [] })
      const hasCheck = await createsCheck(tx)
      const { rows: functions } = await tx.query<ProjectFunction>(selectFunctionsStatement(schemas))
      for (const each of functions) {
        const issues =
          hasCheck && each.language === 'plpgsql' && !each.is_trigger
            ? await checked(tx, each)
            : await validated(tx, each)
        if (issues.length > 0) found.push({ function: each.name, issues })
      }
      throw new Finished()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Finished)) throw error
    })
  return found
}

/** Thrown at the end: an extension that was created to look at functions is taken back. */
class Finished extends Error {}

async function createsCheck(tx: Sql): Promise<boolean> {
  try {
    await tx.transaction((inner) =>
      inner.query({ text: 'create extension if not exists plpgsql_check with schema extensions', values: [] }),
    )
    return true
  } catch {
    return false
  }
}

async function validated(tx: Sql, each: ProjectFunction): Promise<readonly FunctionIssue[]> {
  try {
    await tx.transaction((inner) => inner.query(validateStatement(each)))
    return []
  } catch (error) {
    const sqlState = sqlStateOf(error) ?? ''
    return [{ level: 'error', message: messageOf(error), sqlState, hint: '', lineNumber: null }]
  }
}

async function checked(tx: Sql, each: ProjectFunction): Promise<readonly FunctionIssue[]> {
  const { rows } = await tx.query<CheckRow>(checkStatement(each))
  return rows.map(({ level, message, sqlstate, hint, lineno }) => ({
    level: level === 'error' ? 'error' : 'warning',
    message,
    sqlState: sqlstate ?? '',
    hint: hint ?? '',
    lineNumber: lineno,
  }))
}
