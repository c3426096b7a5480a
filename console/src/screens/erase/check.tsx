interface CheckProps {
  readonly on: boolean
  readonly onToggle: (on: boolean) => void
  readonly label: string
  readonly hint?: string | undefined
}

/** A choice that is made or not, with what it means. */
export function Check({ on, onToggle, label, hint }: CheckProps) {
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" className="mt-1" checked={on} onChange={({ target }) => onToggle(target.checked)} />
      <span className="wrap-anywhere min-w-0">
        {label}
        {hint && <span className="text-ink-2"> – {hint}</span>}
      </span>
    </label>
  )
}
