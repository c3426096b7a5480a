import { classes } from './classes.ts'

interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly disabled?: boolean
  readonly onToggle: (on: boolean) => void
}

/** Something that is on or off, changed at once; the label is spoken, not drawn. */
export function Switch({ label, on, disabled = false, onToggle }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={() => onToggle(!on)}
      className="inline-grid h-6 w-9 place-items-center rounded-full disabled:opacity-50"
    >
      <span
        className={classes(
          'flex h-4 w-7 items-center rounded-full border px-px transition-colors',
          on ? 'justify-end border-ink-2 bg-ink-2' : 'border-ink-3 bg-surface',
        )}
      >
        <span className={classes('size-3 rounded-full', on ? 'bg-surface' : 'bg-ink-3')} />
      </span>
    </button>
  )
}
