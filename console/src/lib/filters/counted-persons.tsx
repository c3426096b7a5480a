import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { errorText } from '../api/api-error.ts'

interface CountedPersonsProps {
  readonly title: string
  /** Undefined until it is known. */
  readonly counted: { readonly count: number; readonly asked: number } | undefined
  /** Of what they are counted: stored persons, unless it is said. */
  readonly of?: string
  /** Ids of some that it holds for. */
  readonly some: readonly string[]
  readonly error: Error | null
  /** Whether the draft has changed since. */
  readonly isOld: boolean
  readonly isCounting: boolean
  readonly onCountAgain: () => void
  /** What else the count has shown. */
  readonly children?: ReactNode
}

/** How many of the stored persons, or groups, what is drafted holds for; counted when the operator asks, as it reads them all. */
export function CountedPersons(props: CountedPersonsProps) {
  const { title, counted, of = 'stored persons', some, error, isOld, isCounting, onCountAgain, children } = props
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
            <span className="text-ink-2">
              of {counted.asked} {of}
            </span>
          </p>
          {children}
          {some.length > 0 && (
            <ul aria-label="Some of them" className="mono max-h-40 overflow-y-auto text-sm">
              {some.map((one) => (
                <li key={one} className="truncate py-px" title={one}>
                  {one}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  )
}
