import { Link } from '@tanstack/react-router'
import type { InvocationAnswer } from '../../lib/api/schemas.ts'
import { readableJson } from '../../lib/readable-json.ts'
import { Status } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Duration } from '../../ui/time.tsx'
import { formatBytes } from '../../ui/time-text.ts'

/** What a function answered: status, headers, body, duration, and the way to its thread. */
export function Answer({ answer }: { readonly answer: InvocationAnswer }) {
  const { status, headers, body, sizeBytes, isCut, durationMs, requestId } = answer
  const isJson = headers.some(({ name, value }) => name === 'content-type' && value.includes('json'))
  return (
    <section aria-label="The function’s answer" className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      <p className="flex flex-wrap items-baseline gap-x-4 text-ink-2">
        <Status status={status} />
        <Duration ms={durationMs} />
        <span>
          {formatBytes(sizeBytes)}
          {isCut && ' and more'}
        </span>
        {requestId !== null && (
          <Link to="/requests/$id" params={{ id: requestId }} className="quiet-link">
            Open the thread
          </Link>
        )}
      </p>
      {body === null ? (
        <p className="text-ink-2">The body is no text.</p>
      ) : body === '' ? (
        <p className="text-ink-2">The body is empty.</p>
      ) : (
        <Code text={isJson ? readableJson(body) : body} copyLabel="Copy the body" />
      )}
      <details>
        <summary className="cursor-pointer text-ink-2">{headers.length} headers</summary>
        <Code
          text={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          copyLabel="Copy the headers"
          className="mt-2"
        />
      </details>
    </section>
  )
}
