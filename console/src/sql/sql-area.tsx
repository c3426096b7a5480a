import type { SqlCatalogue } from '../lib/api/schemas.ts'
import { SqlText } from './sql-text.tsx'

interface SqlAreaProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  /** Names for completion. */
  readonly catalogue?: SqlCatalogue | undefined
}

const nothing = (): undefined => undefined

/** A text of SQL in a form. */
export function SqlArea({ label, text, onChange, catalogue }: SqlAreaProps) {
  return (
    <div className="flex h-80 flex-col overflow-hidden rounded-control border border-line bg-sunken">
      <SqlText
        label={label}
        engine="postgres"
        text={text}
        catalogue={catalogue}
        problem={null}
        onChange={onChange}
        onSelect={nothing}
        onRun={nothing}
      />
    </div>
  )
}
