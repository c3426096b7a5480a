import { type ComponentProps, useId } from 'react'

interface TextAreaProps extends ComponentProps<'textarea'> {
  readonly label: string
  readonly problem?: string | undefined
}

/** Labelled lines of text; their problem is read out by screen readers too. */
export function TextArea({ label, problem, ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium text-ink-2 text-sm">
        {label}
      </label>
      <textarea
        id={id}
        rows={8}
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-note` : undefined}
        className="mono w-full rounded-control border border-line bg-surface px-2.5 py-1.5 text-ink focus-visible:outline-offset-0 aria-invalid:border-danger"
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
