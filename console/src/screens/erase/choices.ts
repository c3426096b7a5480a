import type { BodyOf } from '../../lib/api/client.ts'
import type { ErasurePreview } from '../../lib/api/schemas.ts'

/** Rows that name a user in one column. */
export type NamingRows = ErasurePreview['tables'][number]

/** What becomes of them, as it is sent. */
export type RowsChoice = BodyOf<'erasePerson'>['tables'][number]

/** What becomes of rows, as it is chosen: `key` leaves it to the foreign key. */
export type Choice = 'delete' | 'set null' | 'key'

/** The name of a column with its table. */
export const placeOf = ({ schema, table, column }: NamingRows): string => `${schema}.${table}.${column}`

/** What is chosen unasked: rows that would keep the user from being deleted go, of others the foreign key decides. */
export const usualChoice = ({ onDelete }: NamingRows): Choice =>
  onDelete === 'kept from being deleted' ? 'delete' : 'key'

/** What may be chosen of rows, in words. */
export function optionsOf({ onDelete, canBeEmptied, column }: NamingRows): readonly {
  readonly value: Choice
  readonly label: string
}[] {
  return [
    { value: 'delete', label: 'Delete the rows' },
    ...(canBeEmptied ? [{ value: 'set null', label: `Empty ${column}` } as const] : []),
    {
      value: 'key',
      label:
        onDelete === 'deleted'
          ? 'Deleted along'
          : onDelete === 'emptied'
            ? `${column} is emptied along`
            : 'Keep them as they are',
    },
  ]
}

/** Choices as they are sent. */
export const toSend = (
  tables: readonly NamingRows[],
  choices: Readonly<Record<string, Choice>>,
): readonly RowsChoice[] =>
  tables.flatMap((rows) => {
    const action = choices[placeOf(rows)] ?? usualChoice(rows)
    const { schema, table, column } = rows
    return action === 'key' ? [] : [{ schema, table, column, action }]
  })
