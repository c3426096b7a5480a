import type { ComponentProps } from 'react'
import { classes } from '../../ui/classes.ts'

interface LineInputProps extends ComponentProps<'input'> {
  readonly label: string
}

/** A line of text among others; the label is spoken, and drawn while it is empty. */
export const LineInput = ({ label, className, ...input }: LineInputProps) => (
  <input
    aria-label={label}
    placeholder={label}
    autoComplete="off"
    className={classes(
      'h-7 min-w-0 rounded-control border border-line bg-surface px-2 text-ink placeholder:text-ink-3 disabled:opacity-60',
      className,
    )}
    {...input}
  />
)
