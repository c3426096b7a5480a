import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../api/api-error.ts'

interface CountedPersonsProps {
  readonly title: string
  /** Undefined until it is known. */
  readonly counted: { readonly count: number; readonly persons: number } | undefined
  readonly error: Error | null
  /** Whether the draft has changed since. */
  readonly isOld: boolean
  readonly isCounting: boolean
  readonly onCountAgain: () => void
  /** What else the count has shown. */
  readonly children: ReactNode
}

/** How many of the stored persons what is drafted holds for; counted when the operator asks, as it reads them all. */
export function CountedPersons(props: CountedPersonsProps) {
  const { title, counted, error, isOld, isCounting, onCountAgain, children } = props
  return (
    <section aria-label={title} className="grid gap-2">
      <header className="flex h-6 items-center justify-between">
        <h2 className="font-medium">{title}</h2>
        {isOld && (
          <Button size="small" disabled={isCounting} onClick={onCountAgain}>
            Count again
          </Button>
        )}
      </header>
      {error && <p className="text-danger">{errorText(error)}</p>}
      {counted && !error && (
        <>
          <p>
            <span className="tabular font-semibold text-lg">{counted.count}</span>{' '}
            <span className="text-ink-2">of {counted.persons} stored persons</span>
          </p>
          {children}
        </>
      )}
    </section>
  )
}
