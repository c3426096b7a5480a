import type { SqlFailure } from '../../lib/api/schemas.ts'

/** Why a statement failed, in the engine's words; nothing of its run is kept. */
export function FailureView({ failure }: { readonly failure: SqlFailure }) {
  const { message, code, detail, hint, where } = failure
  return (
    <div role="alert" className="grid gap-2 overflow-auto p-4">
      <p className="mono whitespace-pre-wrap break-words text-danger">{message}</p>
      {detail && <p className="mono whitespace-pre-wrap break-words">{detail}</p>}
      {hint && <p>{hint}</p>}
      {where && <p className="mono whitespace-pre-wrap break-words text-ink-2">{where}</p>}
      <p className="text-ink-2">
        <span className="mono">{code}</span> · Nothing of this run was kept.
      </p>
    </div>
  )
}
