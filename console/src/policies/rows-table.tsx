import { Check, X } from 'lucide-react'
import type { WhyLook } from '../lib/api/schemas.ts'
import { classes } from '../ui/classes.ts'

/** The first rows, each with whether it passes and the clauses that keep it from passing, with their values. */
export function RowsTable({ look }: { readonly look: WhyLook }) {
  const { rows, gates } = look
  return (
    <div className="overflow-x-auto rounded-control border border-line">
      <table aria-label="Rows" className="w-full border-collapse text-left">
        <thead>
          <tr className="h-8 border-line border-b text-ink-2 text-sm">
            <th className="px-3 font-medium">Row</th>
            <th className="px-3 font-medium">Passes</th>
            <th className="px-3 font-medium">What keeps it from passing</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, passes }, index) => {
            const all = passes.every(Boolean)
            return (
              <tr key={JSON.stringify(key)} className="border-line border-b align-baseline last:border-b-0">
                <td className="mono whitespace-nowrap px-3 py-1.5">{keyText(key, index)}</td>
                <td className={classes('px-3 py-1.5', all ? 'text-ok' : 'text-danger')}>
                  {all ? (
                    <Check aria-hidden="true" className="mr-1 inline size-3.5" />
                  ) : (
                    <X aria-hidden="true" className="mr-1 inline size-3.5" />
                  )}
                  {all ? 'yes' : 'no'}
                </td>
                <td className="px-3 py-1.5">{!all && <Reasons gates={gates} passes={passes} row={index} />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const keyText = (key: Readonly<Record<string, string | null>>, index: number): string =>
  Object.keys(key).length === 0 ? `row ${index + 1}` : Object.values(key).join(', ')

interface ReasonsProps {
  readonly gates: WhyLook['gates']
  readonly passes: readonly boolean[]
  readonly row: number
}

function Reasons({ gates, passes, row }: ReasonsProps) {
  const reasons = gates.flatMap((gate, at) =>
    passes[at] === true
      ? []
      : gate.policies.flatMap((policy) =>
          (policy.rows[row] ?? []).flatMap((outcome, index) => {
            const clause = policy.clauses[index]
            return outcome.decides && clause ? [{ policy: policy.name, clause, ...outcome }] : []
          }),
        ),
  )
  if (reasons.length === 0) return <span className="text-ink-2">no policy lets it pass</span>
  return (
    <ul className="grid gap-1">
      {reasons.map(({ policy, clause, left, right, value }) => (
        <li key={`${policy} ${clause.text}`}>
          <code className="mono wrap-anywhere">{clause.text}</code>
          <span className="text-ink-2">
            {' '}
            is {value === null ? 'unknown' : 'false'}
            <Values sides={[[clause.left, left] as const, [clause.right, right] as const]} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What was compared, with what it was; a literal says it by itself. */
function Values({ sides }: { readonly sides: readonly (readonly [string | null, string | null])[] }) {
  const said = sides.filter(([expression]) => expression !== null && !/^('|\d|true$|false$|null)/i.test(expression))
  if (said.length === 0) return null
  return (
    <>
      :{' '}
      {said.map(([expression, value], index) => (
        <span key={expression}>
          {index > 0 && ', '}
          <span className="mono">{expression}</span> is <span className="mono text-ink">{value ?? 'null'}</span>
        </span>
      ))}
    </>
  )
}
