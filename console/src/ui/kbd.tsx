import { classes } from './classes.ts'

/** A key's cap. */
export function Kbd({ children, className }: { readonly children: string; readonly className?: string }) {
  return (
    <kbd
      className={classes(
        'inline-flex h-4 min-w-4 items-center justify-center rounded-small border border-line px-1 font-mono text-ink-2 text-xs leading-none',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
