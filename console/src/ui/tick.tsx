interface TickProps {
  readonly label: string
  readonly on: boolean
  readonly hint?: string
  readonly onToggle: (on: boolean) => void
}

/** Something that holds or not. */
export function Tick({ label, on, hint, onToggle }: TickProps) {
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" className="mt-0.75" checked={on} onChange={({ target }) => onToggle(target.checked)} />
      <span>
        {label}
        {hint && <span className="block text-ink-2 text-sm">{hint}</span>}
      </span>
    </label>
  )
}
