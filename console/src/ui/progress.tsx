import { classes } from './classes.ts'

interface ProgressProps {
  readonly label: string
  /** Null where it is not known. */
  readonly value: number | null
  readonly max: number
  readonly className?: string
}

/** How far something is, as a line. */
export function Progress({ label, value, max, className }: ProgressProps) {
  return (
    <progress
      aria-label={label}
      max={Math.max(max, Number.EPSILON)}
      {...(value !== null && { value })}
      className={classes(
        'h-1 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-info [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-info',
        className,
      )}
    />
  )
}
