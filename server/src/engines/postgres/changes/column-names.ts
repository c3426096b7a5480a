import type { RelationColumn } from './pgoutput.ts'

/** A column as the catalogue has it now; dropped ones keep their number. */
export interface Attribute {
  readonly number: number
  readonly name: string
  readonly typeId: number
  readonly dropped: boolean
}

const sameName = 4
const sameType = 1
/** A column that is there now and was not described then, though others behind it were. */
const passedOver = -3
const impossible = Number.NEGATIVE_INFINITY

/**
 * Finds which of today's columns each column of the stream's description is: the stream describes a table as it was when
 * its rows changed, the catalogue as it is now, and columns may have been renamed, dropped and added in between. Both are
 * in the order of the columns' numbers, so the pairing is taken that keeps this order and agrees best.
 *
 * @returns the number of each described column, in their order; null for all where they cannot be paired
 */
export function numberColumns(
  described: readonly Pick<RelationColumn, 'name' | 'typeId'>[],
  attributes: readonly Attribute[],
): readonly (number | null)[] {
  /** By how many attributes are looked at, then by how many described columns are paired with them: the best score. */
  const scores: number[][] = [[0, ...described.map(() => impossible)]]
  for (const attribute of attributes) {
    const before = scores.at(-1) ?? []
    const last = described.length
    scores.push(
      [null, ...described].map((column, count) => {
        const passing = attribute.dropped || count === last ? 0 : passedOver
        const passed = (before[count] ?? impossible) + passing
        return column === null ? passed : Math.max(passed, (before[count - 1] ?? impossible) + score(column, attribute))
      }),
    )
  }
  const numbers: (number | null)[] = described.map(() => null)
  let count = described.length
  if (scores.at(-1)?.[count] === impossible) return numbers
  for (let looked = attributes.length; looked > 0 && count > 0; looked -= 1) {
    const attribute = attributes[looked - 1]
    const column = described[count - 1]
    if (attribute === undefined || column === undefined) continue
    const paired = (scores[looked - 1]?.[count - 1] ?? impossible) + score(column, attribute)
    if (scores[looked]?.[count] !== paired) continue
    count -= 1
    numbers[count] = attribute.number
  }
  return numbers
}

const score = (column: Pick<RelationColumn, 'name' | 'typeId'>, { name, typeId, dropped }: Attribute): number =>
  (!dropped && name === column.name ? sameName : 0) + (!dropped && typeId === column.typeId ? sameType : 0)
