import pg from 'pg'
import type { ChangeCause } from '../../../ground/model/change.ts'
import { splitStatements, withoutLeading } from '../../../ground/sql/split.ts'
import { causeSql } from '../cause.ts'

/** A command in its statements, and where the statement that names the cause stands among them. */
export interface MarkPlan {
  readonly statements: readonly string[]
  /** The indexes of the statements that it stands before: one in each transaction. */
  readonly before: readonly number[]
  /** Whether the command is one procedure, which may end its transaction only where nothing stands before it. */
  readonly needsAtomicProcedures: boolean
}

/** A command with its marks. */
export interface MarkedCommand {
  readonly text: string
  /** The indexes of the marks among its statements. */
  readonly marks: ReadonlySet<number>
}

/** Statements that are as well in a transaction with another one before them. */
const atomic = new Set(
  'select insert update delete with merge truncate values table copy execute explain refresh analyze'.split(' '),
)
const definitions = new Set(['create', 'alter', 'drop'])
/** What PostgreSQL keeps out of transaction blocks. A slot cannot be made in a transaction that has written. */
const needsOwnTransaction = /replication_slot|\bconcurrently\b|\b(?:database|tablespace|system|subscription)\b/i
const endsTransactions = /\b(?:commit|rollback|call)\b/i
/** A longer command is taken for one statement: splitting it would hold the event loop. */
const splitLength = 32_768

/**
 * Where the statements that name the cause may stand in a command; null for one that must not be in a transaction block
 * (`vacuum`), that may end its transaction within, or that changes nothing. A command of several statements is one
 * transaction, up to a `commit` or `rollback` of its own.
 */
export function planMark(command: string): MarkPlan | null {
  const split = command.length > splitLength ? [command] : splitStatements(command)
  const [first] = split
  if (first === undefined) return null
  return split.length > 1 ? planSeveral(split) : planOne(first)
}

const wordOf = (statement: string): string => /^\w+/.exec(withoutLeading(statement))?.[0].toLowerCase() ?? ''

function planOne(statement: string): MarkPlan | null {
  const word = wordOf(statement)
  const plan = { statements: [statement], before: [0], needsAtomicProcedures: word === 'call' }
  if (word === 'call') return plan
  if (word === 'do') return endsTransactions.test(statement) ? null : plan
  if (/replication_slot/i.test(statement)) return null
  if (atomic.has(word)) return plan
  return definitions.has(word) && !needsOwnTransaction.test(statement) ? plan : null
}

function planSeveral(statements: readonly string[]): MarkPlan | null {
  if (statements.some((statement) => /replication_slot/i.test(statement))) return null
  const before: number[] = []
  let isMarked = false
  for (const [index, statement] of statements.entries()) {
    const kind = kindOf(statement)
    if (kind === 'begins' || kind === 'ends') isMarked = false
    else if (kind === 'other' && !isMarked) {
      before.push(index)
      isMarked = true
    }
  }
  return before.length === 0 ? null : { statements, before, needsAtomicProcedures: false }
}

/** `prepares` are those that count only before a transaction's first query: its isolation, its locks. */
function kindOf(statement: string): 'begins' | 'ends' | 'prepares' | 'other' {
  const code = withoutLeading(statement)
  if (/^(?:begin|start\s+transaction)\b/i.test(code)) return 'begins'
  if (/^(?:commit|end|abort|prepare\s+transaction)\b/i.test(code)) return 'ends'
  if (/^rollback\b/i.test(code)) return /\bto\b/i.test(code) ? 'other' : 'ends'
  return /^(?:set|reset|lock)\b/i.test(code) ? 'prepares' : 'other'
}

/** Whether no procedure of the database ends its transaction; one in another language might. */
export const proceduresAreAtomic = `
  select not exists (
    select
    from pg_catalog.pg_proc p
    join pg_catalog.pg_language l on l.oid = p.prolang
    where p.prokind = 'p'
      and (l.lanname not in ('plpgsql', 'sql') or p.prosrc ~* '\\m(commit|rollback)\\M')
  ) as atomic`

/** A command with the statements that name its cause. */
export function markedCommand({ statements, before }: MarkPlan, { id, jobName }: ChangeCause): MarkedCommand {
  const mark = `select ${causeSql(pg.escapeLiteral(id), jobName === null ? '' : ` || ${pg.escapeLiteral(`\n${jobName}`)}`)}`
  const texts: string[] = []
  const marks = new Set<number>()
  for (const [index, statement] of statements.entries()) {
    if (before.includes(index)) marks.add(texts.push(mark) - 1)
    texts.push(statement)
  }
  // A statement may end in a comment, which ends with its line.
  return { text: texts.join('\n;'), marks }
}
