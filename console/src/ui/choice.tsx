import { classes } from './classes.ts'
import { Select } from './field.tsx'

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (Value | { readonly value: Value; readonly label: string })[]
  readonly onChange: (value: Value) => void
  readonly className?: string
}

/** A choice among few under its label, as a `Field` is. */
export function Choice<Value extends string>({ label, value, options, onChange, className }: ChoiceProps<Value>) {
  return (
    <div className={classes('grid content-start gap-1', className)}>
      <span aria-hidden="true" className="font-medium text-ink-2 text-sm">
        {label}
      </span>
      <Select
        label={label}
        className="h-8 w-full"
        value={value}
        options={options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option))}
        onChange={onChange}
      />
    </div>
  )
}
