import pg from 'pg'
import type { ChangeCause } from '../../../ground/model/change.ts'
import { causeSql } from '../cause.ts'

/** Spaces, comments, empty statements and parentheses before the first word. */
const leading = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|[;(])*/
/** Statements that are as well in a transaction with another one before them. */
const atomic = new Set(['select', 'insert', 'update', 'delete', 'with', 'merge', 'truncate'])
/** A slot cannot be made in a transaction that has written. */
const needsOwnTransaction = /replication_slot/i
/** Comments may be nested, which the pattern above does not follow. */
const severalComments = /\/\*[\s\S]*\/\*/
const endsTransactions = /\b(?:commit|rollback|call)\b/i

/**
 * Whether a statement that names the cause may stand before a command, in its transaction. Not before commands that
 * must not be in a transaction block (`vacuum`), that begin one of their own, or that may end theirs.
 */
export function planMark(command: string): 'always' | 'where procedures are atomic' | 'never' {
  const word = /^\w+/.exec(command.replace(leading, ''))?.[0].toLowerCase() ?? ''
  if (needsOwnTransaction.test(command) || severalComments.test(command)) return 'never'
  if (atomic.has(word)) return 'always'
  if (word === 'do') return endsTransactions.test(command) ? 'never' : 'always'
  return word === 'call' ? 'where procedures are atomic' : 'never'
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

/** A command with the statement before it that names its cause. */
export const markedCommand = (command: string, { id, jobName }: ChangeCause): string =>
  `select ${causeSql(pg.escapeLiteral(id), jobName === null ? '' : ` || ${pg.escapeLiteral(`\n${jobName}`)}`)};${command}`
