import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '../lib/api/api-error.ts'
import { inBackground } from '../lib/in-background.ts'
import { Problem } from '../ui/problem.tsx'

/** Stands in place of a screen whose data could not be loaded. */
export function Failure({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const router = useRouter()
  const boundary = useQueryErrorResetBoundary()
  return (
    <ErrorProblem
      error={error}
      onRetry={() => {
        boundary.reset()
        reset()
        inBackground(router.invalidate())
      }}
    />
  )
}

/** An error in the operator's words: message, hint, code and request id where there are some. */
export function ErrorProblem({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) {
  if (error instanceof ApiError) {
    const { message, hint, code, requestId } = error
    return <Problem title={message} hint={hint} code={code} requestId={requestId} onRetry={onRetry} />
  }
  return (
    <Problem
      title="Something went wrong in the console."
      hint="This is a bug in Clew. Reload the page; if it happens again, report the line below."
      code={error instanceof Error ? error.message : String(error)}
      onRetry={onRetry}
    />
  )
}
