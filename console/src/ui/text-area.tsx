import { type ComponentProps, useId } from 'react'
import { classes } from './classes.ts'

interface TextAreaProps extends ComponentProps<'textarea'> {
  readonly label: string
  readonly problem?: string | undefined
  /** Code and data are set in the mono type, sentences are not and are spell-checked. */
  readonly look?: 'code' | 'prose'
}

/** Labelled lines of text; their problem is read out by screen readers too. */
export function TextArea({ label, problem, look = 'code', ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium text-ink-2 text-sm">
        {label}
      </label>
      <textarea
        id={id}
        rows={8}
        spellCheck={look === 'prose'}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-note` : undefined}
        className={classes(
          'w-full rounded-control border border-line bg-surface px-2.5 py-1.5 text-ink focus-visible:outline-offset-0 aria-invalid:border-danger',
          look === 'code' && 'mono',
        )}
        {...area}
      />
      {problem && (
        <p id={`${id}-note`} className="text-danger text-sm">
          {problem}
        </p>
      )}
    </div>
  )
}
