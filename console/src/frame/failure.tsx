import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ApiError } from '../lib/api/api-error.ts'
import { inBackground } from '../lib/in-background.ts'
import { Problem } from '../ui/problem.tsx'

/** What a screen shows when its data could not be had. */
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
      title="The console stumbled."
      hint="This is a mistake of ours. Reload the page; the line below helps to find it."
      code={error instanceof Error ? error.message : String(error)}
      onRetry={onRetry}
    />
  )
}
