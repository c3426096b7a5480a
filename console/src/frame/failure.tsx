import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { use } from 'react'
import { ApiError } from '../lib/api/api-error.ts'
import { inBackground } from '../lib/in-background.ts'
import { buttonClasses } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { FrameContext, Page, unframed } from './page.tsx'

/** What the console asked on its own address's word has no form that can be: an id that is none, too long a text. */
const isOfAddress = ({ code }: ApiError): boolean => code === 'CLEW_GATEWAY_BAD_ADDRESS'

/** A screen whose data could not be loaded; within the frame with its bar, which has the menu of a narrow window. */
export function FailedScreen(props: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const problem = <Failure {...props} />
  if (use(FrameContext) === unframed) return problem
  const { error } = props
  const isMissing = error instanceof ApiError && (error.status === 404 || isOfAddress(error))
  return <Page title={isMissing ? 'Not found' : 'Not loaded'}>{problem}</Page>
}

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
  if (!(error instanceof ApiError)) return <OwnBug error={error} onRetry={onRetry} />
  if (isOfAddress(error)) return <BadAddress error={error} />
  const { message, hint, code, requestId } = error
  return <Problem title={message} hint={hint} code={code} requestId={requestId} onRetry={onRetry} />
}

/** The validator's words are for those who call the API; to ask again would not help. */
function BadAddress({ error: { code, requestId } }: { readonly error: ApiError }) {
  return (
    <Problem
      title="This address asks for something that cannot be."
      hint="The link may be outdated or mistyped."
      code={code}
      requestId={requestId}
    >
      <p>
        <Link to="/" className={buttonClasses()}>
          Go home
        </Link>
      </p>
    </Problem>
  )
}

function OwnBug({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) {
  return (
    <Problem
      title="Something went wrong in the console."
      hint="This is a bug in Clew. Reload the page; if it happens again, report the line below."
      code={error instanceof Error ? error.message : String(error)}
      onRetry={onRetry}
    />
  )
}
