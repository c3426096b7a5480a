import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

interface ProblemProps {
  readonly title: string
  readonly hint?: string | null | undefined
  readonly code?: string | null | undefined
  readonly requestId?: string | null | undefined
  readonly onRetry?: (() => unknown) | undefined
  readonly children?: ReactNode
}

/** What happened, what to do, and the request's id to look it up by. */
export function Problem({ title, hint, code, requestId, onRetry, children }: ProblemProps) {
  return (
    <div role="alert" className="mx-auto grid max-w-[560px] gap-2 px-4 py-16">
      <h2 className="flex items-center gap-2 font-semibold text-lg">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-danger" />
        {title}
      </h2>
      {hint && <p className="text-ink-2">{hint}</p>}
      {children}
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        {onRetry && <Button onClick={() => onRetry()}>Try again</Button>}
        {code && <span className="mono text-ink-2">{code}</span>}
        {requestId && (
          <span className="mono inline-flex items-center gap-1 text-ink-2">
            request {requestId}
            <CopyButton text={requestId} label="Copy the request id" />
          </span>
        )}
      </div>
    </div>
  )
}
