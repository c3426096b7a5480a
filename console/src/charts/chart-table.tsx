import { type ChartData, formatValue } from './chart-data.ts'

interface ChartTableProps {
  readonly label: string
  readonly data: ChartData
  /** Leaves out the rows in which no series has any. */
  readonly isSparse: boolean
  /** Opens what is behind a row; `hint` says what that is. */
  readonly onRow?: ((index: number) => void) | undefined
  readonly hint?: string | undefined
}

/** The numbers of a chart as a table, the newest time first. */
export function ChartTable({ label, data, isSparse, onRow, hint }: ChartTableProps) {
  const { along, isTime, labels, series } = data
  const all = labels.map((name, index) => ({ name, index }))
  const filled = isSparse ? all.filter(({ index }) => series.some(({ values }) => values[index])) : all
  const rows = isTime ? filled.toReversed() : filled
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className="h-[132px] overflow-y-auto" tabIndex={0} aria-label={`${label} as a table`}>
      <table aria-label={label} className="tabular w-full text-sm">
        <thead className="sticky top-0 bg-paper text-ink-2">
          <tr className="text-right">
            <th scope="col" className="text-left font-medium">
              {along}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, index }) => (
            <tr key={index} className="border-line border-t text-right">
              <th scope="row" className="text-left font-normal">
                {onRow === undefined ? (
                  name
                ) : (
                  <button type="button" title={hint} className="hover:underline" onClick={() => onRow(index)}>
                    {name}
                  </button>
                )}
              </th>
              {series.map((each) => (
                <td key={each.name} className={each.values[index] ? each.text : 'text-ink-2'}>
                  {formatValue(each, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="py-2 text-ink-2">Nothing in this time.</p>}
    </section>
  )
}
