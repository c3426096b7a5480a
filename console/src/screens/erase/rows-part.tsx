import { Select } from '../../ui/field.tsx'
import { type Choice, type NamingRows, optionsOf, placeOf, usualChoice } from './choices.ts'

export interface RowsPartProps {
  readonly tables: readonly NamingRows[]
  readonly choices: Readonly<Record<string, Choice>>
  readonly onChoose: (place: string, choice: Choice) => void
}

/** A count beyond says as many or more. */
const countedAtMost = 10_000

/** The rows that name a user, a foreign key a line, and what becomes of them. */
export function RowsPart({ tables, choices, onChoose }: RowsPartProps) {
  return (
    <ul aria-label="Rows" className="grid">
      {tables.map((rows) => {
        const place = placeOf(rows)
        return (
          <li key={place} className="flex min-h-9 items-center gap-3 border-line border-b py-1 max-narrow:flex-wrap">
            <span className="mono min-w-0 flex-1 truncate max-narrow:basis-full" title={place}>
              {place}
            </span>
            <span className="tabular text-ink-2">
              {rows.rows.toLocaleString('en-GB')}
              {rows.rows >= countedAtMost && '+'} {rows.rows === 1 ? 'row' : 'rows'}
            </span>
            <Select
              label={`What becomes of ${place}`}
              value={choices[place] ?? usualChoice(rows)}
              options={optionsOf(rows)}
              onChange={(choice) => onChoose(place, choice)}
              className="w-44"
            />
          </li>
        )
      })}
    </ul>
  )
}
