import { causeSql, isDatabaseError, type Sql } from '../../../../engines/postgres/index.ts'
import type {
  AccountEraser,
  AccountOutcome,
  ErasedTable,
  Refusal,
  RowsChoice,
} from '../../../../ground/privacy/account.ts'
import type { Statement } from '../../../../ground/sql/postgres.ts'
import { deleteUserStatement } from '../../store/delete-user.ts'
import {
  applyChoiceStatement,
  selectAccountStatement,
  selectRowsStatement,
  selectTextsStatement,
} from '../../store/erase-account.ts'
import { findOwnedRows } from './owned.ts'

export interface AccountEraserDeps {
  /** The application's owner: triggers and policies of its tables run with no more rights than this. */
  readonly owner: Sql
  readonly reader: Pick<Sql, 'query'>
}

/** Ends a trial. */
class TriedOut extends Error {
  override readonly name = 'TriedOut'
}

/** Rows of one table in an export. */
const mostRows = 100_000

/** The account of a user and the rows of the application that name it, to be read and erased. */
export const createAccountEraser = ({ owner, reader }: AccountEraserDeps): AccountEraser => ({
  texts: async (userId) =>
    (await owner.query<{ texts: readonly string[] }>(selectTextsStatement(userId))).rows[0]?.texts ?? null,
  namingRows: (userId) => findOwnedRows(reader, userId),
  async erase(userId, choices, { cause, end }) {
    let outcome: AccountOutcome = { kind: 'erased', tables: [], accounts: 0 }
    try {
      await owner.transaction(
        async (tx) => {
          await tx.query(markStatement(cause))
          const tables = await applyChoices(tx, userId, choices)
          const { rowCount } = await tx.query(deleteUserStatement(userId))
          outcome = { kind: 'erased', tables, accounts: rowCount }
          // A deferred foreign key would refuse with the commit only.
          await tx.query({ text: 'set constraints all immediate', values: [] })
          if (end === 'rollback') throw new TriedOut()
        },
        null,
        end === 'rollback' ? trialLimits : null,
      )
    } catch (error) {
      if (error instanceof TriedOut) return outcome
      if (isDatabaseError(error) && isRefusal(error.code)) return { kind: 'refused', refusal: refusalOf(error) }
      throw error
    }
    return outcome
  },
  async *read(userId) {
    for (const { row } of (await owner.query<{ row: string }>(selectAccountStatement(userId))).rows) yield row
  },
  async *readRows(userId) {
    for (const key of await findOwnedRows(reader, userId)) {
      const { rows } = await reader.query<{ row: string }>(selectRowsStatement(key, userId, mostRows))
      for (const { row } of rows) yield row
    }
  },
})

/** A trial holds locks of the application: it gives up soon. */
const trialLimits: Statement = {
  text: `select set_config('lock_timeout', '2s', true), set_config('statement_timeout', '10s', true)`,
  values: [],
}

const markStatement = (cause: string): Statement => ({ text: `select ${causeSql('$1')}`, values: [cause] })

/**
 * Applies all choices, in an order that foreign keys between the tables allow: what is refused is tried again after the
 * others, until none of those that are left succeeds.
 */
async function applyChoices(tx: Sql, userId: string, choices: readonly RowsChoice[]): Promise<readonly ErasedTable[]> {
  const tables: ErasedTable[] = []
  let left = choices
  while (left.length > 0) {
    const refused: RowsChoice[] = []
    let last: unknown
    for (const choice of left) {
      try {
        const { rowCount } = await tx.transaction((step) => step.query(applyChoiceStatement(choice, userId)))
        const { schema, table, column, action } = choice
        tables.push({ table: `${schema}.${table}`, column, action, rows: rowCount })
      } catch (error) {
        if (!isDatabaseError(error) || error.code !== foreignKeyViolation) throw error
        refused.push(choice)
        last = error
      }
    }
    if (refused.length === left.length) throw last
    left = refused
  }
  return tables
}

const foreignKeyViolation = '23503'

/** Whether the rows and rules of the application refuse, and not the server: constraints, rights, what triggers raise, locks. */
const isRefusal = (code: string): boolean => /^(23|42501|P0|55P03|57014)/.test(code)

const refusalOf = (error: { message: string; detail?: string | undefined; table?: string | undefined }): Refusal => ({
  message: error.message,
  detail: error.detail ?? null,
  table: error.table ?? null,
})
