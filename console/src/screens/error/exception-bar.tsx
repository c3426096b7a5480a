import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ExceptionSummary } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'

interface ExceptionBarProps {
  readonly exception: ExceptionSummary
  /** The latest ones, latest first; absent while they are on their way. */
  readonly exceptions: readonly ExceptionSummary[] | undefined
  readonly onException: (id: string) => void
  readonly onRequest: (id: string) => void
}

/** Whether code threw it; else it is a request that failed, which has neither a stack nor who catches it. */
export const isThrown = ({ source }: Pick<ExceptionSummary, 'source'>): boolean =>
  ['browser', 'server', 'function'].includes(source)

/** Which exception is shown, with its request and session; the ones before and after it. */
export function ExceptionBar({ exception, exceptions = [], onException, onRequest }: ExceptionBarProps) {
  const place = exceptions.findIndex(({ id }) => id === exception.id)
  const later = place > 0 ? exceptions[place - 1] : undefined
  const earlier = place >= 0 ? exceptions[place + 1] : undefined
  const { requestId, sessionId } = exception
  const where = [exception.browser, exception.os].filter((name) => name !== null).join(', ')
  return (
    <section aria-label="Exception" className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b pb-3">
      <span className="flex">
        <Button
          look="bare"
          size="icon"
          aria-label="The exception before"
          disabled={!earlier}
          onClick={() => earlier && onException(earlier.id)}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
        </Button>
        <Button
          look="bare"
          size="icon"
          aria-label="The exception after"
          disabled={!later}
          onClick={() => later && onException(later.id)}
        >
          <ChevronRight aria-hidden="true" className="size-4" />
        </Button>
      </span>
      <Time at={exception.at} look="clock" className="mono" />
      {isThrown(exception) && (
        <Badge tone={exception.handled ? 'quiet' : 'danger'}>{exception.handled ? 'caught' : 'not caught'}</Badge>
      )}
      {where !== '' && <span className="text-ink-2">{where}</span>}
      {exception.release && <span className="mono text-sm">{exception.release}</span>}
      {exception.url && (
        <span className="mono min-w-0 flex-1 truncate text-ink-2 text-sm" title={exception.url}>
          {exception.url}
        </span>
      )}
      {requestId && (
        <Button size="small" onClick={() => onRequest(requestId)}>
          Its request
        </Button>
      )}
      {sessionId && (
        <Link to="/sessions/$id" params={{ id: sessionId }} className={buttonClasses('plain', 'small')}>
          Its session
        </Link>
      )}
    </section>
  )
}
