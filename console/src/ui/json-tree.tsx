import { classes } from './classes.ts'
import { Fold } from './fold.tsx'

interface JsonTreeProps {
  /** What JSON holds. */
  readonly value: unknown
  /** The member's name, or its place in a list. */
  readonly name?: string | undefined
}

/** So many members of one object are drawn; the rest is counted. */
const mostMembers = 200

/** A value with what is in it, opened a level at a time in place. */
export function JsonTree({ value, name }: JsonTreeProps) {
  if (typeof value !== 'object' || value === null)
    return (
      <p className="wrap-anywhere">
        <Name name={name} />
        <span className={classes(tones[typeof value])}>
          {typeof value === 'string' ? JSON.stringify(value) : String(value)}
        </span>
      </p>
    )
  const members = Object.entries(value)
  const shown = members.slice(0, mostMembers)
  return (
    <Fold
      summary={
        <>
          <Name name={name} />
          <span>{previewOf(value)}</span>
        </>
      }
    >
      <ul className="grid grid-cols-[minmax(0,1fr)] border-line border-l pl-3">
        {shown.map(([member, inner]) => (
          <li key={member}>
            <JsonTree value={inner} name={member} />
          </li>
        ))}
        {members.length > shown.length && (
          <li className="text-ink-2">and {(members.length - shown.length).toLocaleString('en-GB')} more</li>
        )}
      </ul>
    </Fold>
  )
}

const Name = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : (
    <>
      <span className="text-ink">{name}</span>
      <span className="text-ink-2">: </span>
    </>
  )

const tones: Readonly<Record<string, string>> = { string: 'text-ok', number: 'text-warn', boolean: 'text-info' }
const longestPreview = 80

function previewOf(value: object): string {
  const text = JSON.stringify(value)
  if (text.length <= longestPreview) return text
  return Array.isArray(value)
    ? `[${value.length}] ${text.slice(0, longestPreview)}…`
    : `${text.slice(0, longestPreview)}…`
}
