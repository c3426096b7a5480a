import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { maskedText } from '../../../ground/privacy/masks.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { join, sql, typed } from '../../../ground/sql/sql.ts'
import type { Planned } from '../rest.ts'
import { bindStatement } from '../template/bind.ts'
import { planTransaction } from '../transaction/transaction.ts'
import type { Problem } from './look.ts'
import { type Question, rawOf } from './question.ts'

/** What a request would be answered after some SQL. */
export interface Tried {
  /** Rows in the answer; null where there is none, or no rows in it. */
  readonly rows: number | null
  /** JSON; null where there is none, or more than is shown. */
  readonly body: string | null
  readonly isCut: boolean
  /** What PostgreSQL refused: the SQL that was tried, or the request after it. */
  readonly problem: (Problem & { readonly of: 'sql' | 'request' }) | null
}

export interface TryDeps {
  /** Changes the schema as the application's owner. */
  readonly owner: Pick<Sql, 'transaction'>
  /** Names of masked columns, in any table. */
  readonly masked: ReadonlySet<string>
}

const longestBody = 100_000

/** Thrown to end a transaction that is never to be committed. */
const rolledBack = Symbol('rolled back')

const limits = compile(sql`select set_config('lock_timeout', '2s', true), set_config('statement_timeout', '10s', true)`)

/**
 * Executed in a block, where nothing ends the transaction: PostgreSQL refuses `commit` there, and several statements are
 * one.
 */
const execute = compile(sql`
  do $clew$
  begin
    execute pg_catalog.current_setting('clew.tried');
  end $clew$`)

type Setting = readonly [name: string, value: string]

const setStatement = (settings: readonly Setting[]) =>
  compile(
    sql`select ${join(
      settings.map(([name, value]) => sql`set_config(${typed(name, 'text')}, ${typed(value, 'text')}, true)`),
    )}`,
  )

/**
 * Runs SQL as the application's owner and then a request as its caller, in one transaction that is rolled back. Locks that the SQL
 * takes are held as long as the request runs, ten seconds at most.
 */
export async function trySql(
  { owner, masked }: TryDeps,
  { template, settings: restSettings, before }: Planned,
  question: Question,
  text: string,
): Promise<Tried> {
  const { caller } = question
  const { statement, plan } = template
  let tried: Tried = { rows: null, body: null, isCut: false, problem: null }
  const attempt = async (of: 'sql' | 'request', work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (!isDatabaseError(error)) throw error
      tried = { ...tried, problem: { code: error.code, message: error.message, of } }
      return false
    }
  }
  const work = owner.transaction(async (transaction) => {
    await transaction.query(limits)
    const isApplied = await attempt('sql', async () => {
      await transaction.query(setStatement([['clew.tried', text]]))
      await transaction.query(execute)
    })
    if (isApplied && statement !== null)
      await attempt('request', async () => {
        const raw = rawOf(question)
        const planned = planTransaction({ plan, template, raw, caller, settings: restSettings })
        await transaction.query(setStatement([...planned.settings, ['role', caller.role], ...planned.roleSettings]))
        if (before) await transaction.query(before)
        const bound = bindStatement(statement, { values: [], body: '' })
        const { rows } = await transaction.query<AnswerRow>(plan.kind === 'read' ? asTexts(bound) : bound)
        tried = { ...tried, ...answerOf(rows[0], masked) }
      })
    throw rolledBack
  })
  await work.catch((error: unknown) => {
    if (error !== rolledBack) throw error
  })
  return tried
}

/** JSON is decoded where it is not asked for as text. */
interface AnswerRow {
  readonly page: string | null
  readonly body: unknown
}

/** A read whose JSON keeps its digits: the statement is the REST service's own. What writes cannot stand within another. */
const asTexts = ({ text, values }: Statement): Statement => ({
  text: `select answered.page::text as page, answered.body::text as body from (${text}) as answered`,
  values,
})

function answerOf(row: AnswerRow | undefined, masked: ReadonlySet<string>): Pick<Tried, 'rows' | 'body' | 'isCut'> {
  if (row === undefined) return { rows: null, body: null, isCut: false }
  const text = row.body === null || typeof row.body === 'string' ? row.body : JSON.stringify(row.body)
  const body = text === null || masked.size === 0 ? text : maskMembers(text, masked)
  const isCut = (body?.length ?? 0) > longestBody
  return { rows: row.page === null ? null : Number(row.page), body: isCut ? null : body, isCut }
}

/** A JSON text with the values of masked columns replaced, at any depth: embedded rows have columns as well. */
function maskMembers(json: string, masked: ReadonlySet<string>): string {
  try {
    return JSON.stringify(JSON.parse(json, (name, value) => (masked.has(name) ? maskedText : value)))
  } catch {
    // Another form than JSON does not tell which of it is masked.
    return ''
  }
}
