import type { ErasurePreview } from '../../lib/api/schemas.ts'
import { Card } from '../../ui/card.tsx'
import { Check } from './check.tsx'

interface NamesPartProps {
  readonly texts: ErasurePreview['texts']
  readonly leftOut: ReadonlySet<string>
  readonly onToggle: (text: string, on: boolean) => void
}

/** The addresses, numbers and names that are looked for in what is kept of others. */
export function NamesPart({ texts, leftOut, onToggle }: NamesPartProps) {
  return (
    <Card
      title="Names that are looked for"
      about="[erased] takes their place in what is kept of others, with that of the ids: events, requests, logs, row history, SQL, runs of jobs, the audit log."
    >
      {texts.length === 0 ? (
        <p className="text-ink-2">No address and no name is known: the ids alone are looked for.</p>
      ) : (
        <ul className="grid gap-1">
          {texts.map(({ text, isTelling }) => (
            <li key={text}>
              <Check
                on={!leftOut.has(text)}
                onToggle={(on) => onToggle(text, on)}
                label={text}
                hint={isTelling ? undefined : 'may stand in texts about others'}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
