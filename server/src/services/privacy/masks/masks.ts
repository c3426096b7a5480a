import type { Sql } from '../../../engines/postgres/index.ts'
import type { MaskedColumn, MaskList, Masks } from '../../../ground/privacy/masks.ts'
import { privacyError } from '../errors.ts'
import { insertJobStatement } from '../past/store.ts'
import type { PrivacySettings } from '../settings.ts'
import { isKept, isReserved } from './reserved.ts'
import {
  countMasksStatement,
  deleteMaskStatement,
  type FoundColumn,
  findColumnStatement,
  insertColumnStatement,
  insertPropertyStatement,
  lockStatement,
  type MaskRow,
  selectListOfStatement,
  selectListStatement,
  selectMasksStatement,
} from './store.ts'

/** The masks of a project, read from the database each time: a mask holds in every process when it is committed. */
export const createMasks = (sql: Pick<Sql, 'query'>): Masks => ({
  async current() {
    const [list] = (await sql.query<MaskList>(selectListStatement())).rows
    if (list === undefined) throw new Error('The list of masks could not be read.')
    return list
  },
})

/** What an operator masks. */
export type MaskBody =
  | ({ readonly kind: 'column' } & MaskedColumn)
  | { readonly kind: 'property'; readonly property: string }

/** Sets and removes masks. */
export interface MaskChanges {
  list(): Promise<readonly MaskRow[]>
  /**
   * From the moment that it resolves nothing new is stored unmasked; the past is a job.
   *
   * @throws CLEW_PRIVACY_COLUMN_NOT_FOUND, _KEY_COLUMN, _NOT_KEPT, _RESERVED_PROPERTY, _MASKED_ALREADY, _TOO_MANY
   */
  add(mask: MaskBody, operator: string): Promise<MaskRow>
  /** What is stored from then on is not masked; what was masked stays so. @throws CLEW_PRIVACY_NOT_FOUND */
  remove(id: string): Promise<void>
}

export interface MaskChangesDeps {
  readonly sql: Sql
  readonly newId: () => string
  readonly settings: Pick<PrivacySettings, 'maxMasks'>
}

/** A mask in words: `public.users.email`, or the name of a property. */
export const labelOf = (mask: MaskBody): string =>
  mask.kind === 'column' ? `${mask.schema}.${mask.table}.${mask.column}` : mask.property

export function createMaskChanges({ sql, newId, settings }: MaskChangesDeps): MaskChanges {
  const insert = async (tx: Pick<Sql, 'query'>, mask: MaskBody, by: string): Promise<MaskRow> => {
    const statement =
      mask.kind === 'property'
        ? insertPropertyStatement(newId(), mask.property, by)
        : insertColumnStatement(newId(), mask, await getColumn(tx, mask), by)
    const [row] = (await tx.query<MaskRow>(statement)).rows
    if (row === undefined) throw privacyError('CLEW_PRIVACY_MASKED_ALREADY')
    return row
  }
  return {
    list: async () => (await sql.query<MaskRow>(selectMasksStatement())).rows,
    async add(mask, operator) {
      if (mask.kind === 'property' && isReserved(mask.property)) throw privacyError('CLEW_PRIVACY_RESERVED_PROPERTY')
      if (mask.kind === 'column' && !isKept(mask.schema)) throw privacyError('CLEW_PRIVACY_NOT_KEPT')
      return sql.transaction(async (tx) => {
        await tx.query(lockStatement())
        const [{ masks } = { masks: 0 }] = (await tx.query<{ masks: number }>(countMasksStatement())).rows
        if (masks >= settings.maxMasks) throw privacyError('CLEW_PRIVACY_TOO_MANY')
        const row = await insert(tx, mask, operator)
        const [list] = (await tx.query<MaskList>(selectListOfStatement(row.id))).rows
        if (list === undefined) throw new Error('A mask that was stored could not be read.')
        await tx.query(insertJobStatement(labelOf(mask), list, operator))
        return row
      })
    },
    async remove(id) {
      const { rows } = await sql.query(deleteMaskStatement(id))
      if (rows.length === 0) throw privacyError('CLEW_PRIVACY_NOT_FOUND')
    },
  }
}

async function getColumn(tx: Pick<Sql, 'query'>, column: MaskedColumn): Promise<FoundColumn> {
  const [found] = (await tx.query<FoundColumn>(findColumnStatement(column))).rows
  if (found === undefined) throw privacyError('CLEW_PRIVACY_COLUMN_NOT_FOUND')
  if (found.isKey) throw privacyError('CLEW_PRIVACY_KEY_COLUMN')
  return found
}
