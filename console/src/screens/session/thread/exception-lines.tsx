import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Moment, StackFrame } from '../../../lib/api/schemas.ts'
import { exceptionQuery } from '../queries.ts'

const mostFrames = 4

/** Where an exception was thrown, and the way to all others like it. */
export function ExceptionLines({ error: { issueId, exceptionId } }: { readonly error: NonNullable<Moment['error']> }) {
  const { data } = useQuery(exceptionQuery(issueId, exceptionId))
  const frames = data?.chain[0]?.frames ?? []
  const own = frames.filter(({ inApp }) => inApp)
  const shown = (own.length > 0 ? own : frames).slice(0, mostFrames)
  return (
    <div className="mono grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5 pl-3.5 text-ink-2">
      {shown.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a frame is its place on the stack
        <p key={index} className="flex min-w-0 gap-2">
          <span className="shrink-0 text-ink">{frame.function ?? 'anonymous'}</span>
          <span className="truncate" title={placeOf(frame)}>
            {placeOf(frame)}
          </span>
        </p>
      ))}
      <Link to="/errors/$id" params={{ id: issueId }} search={{ exception: exceptionId }} className="quiet-link w-fit">
        All errors like this
      </Link>
    </div>
  )
}

const placeOf = ({ file, line, column }: StackFrame): string =>
  [file ?? 'unknown', line, column].filter((part) => part !== null).join(':')
