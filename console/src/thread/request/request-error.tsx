import type { RequestDetail } from '../../lib/api/schemas.ts'

/** Why a request was refused: in the words of its answer, else what its code means. */
export function RequestError({ error }: { readonly error: NonNullable<RequestDetail['error']> }) {
  const { message, hint, details, isFromAnswer } = error
  return (
    <div role="note" aria-label="Error" className="grid gap-1 border-danger border-l-2 pl-3">
      <p className="wrap-anywhere">{message}</p>
      {details && <p className="wrap-anywhere text-ink-2">{details}</p>}
      {hint && <p className="wrap-anywhere text-ink-2">{hint}</p>}
      {!isFromAnswer && <p className="text-ink-2 text-sm">What the code means; the answer itself is not kept.</p>}
    </div>
  )
}
