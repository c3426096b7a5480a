import { useMutation } from '@tanstack/react-query'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardProblem } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'

/** The callbacks of every factor's card. */
export interface FactorEvents {
  readonly onChanged: () => void
  /** A change needs a fresh proof of identity; `again` repeats it afterwards. */
  readonly onProofNeeded: (again: () => void) => void
  readonly onRecoveryCodes: (codes: readonly string[]) => void
}

interface AppCardProps extends FactorEvents {
  /** ISO 8601; null when there is none. */
  readonly since: string | null
}

/** An authenticator app. */
export function AppCard({ since, onChanged, onProofNeeded, onRecoveryCodes }: AppCardProps) {
  const begin = useMutation({
    mutationFn: api.beginTotp,
    onError: (error) => isProofNeeded(error) && onProofNeeded(() => begin.mutate()),
  })
  const remove = useMutation({
    mutationFn: api.removeTotp,
    onSuccess: onChanged,
    onError: (error) => isProofNeeded(error) && onProofNeeded(() => remove.mutate()),
  })
  const error = begin.error ?? remove.error
  return (
    <Card
      title="Authenticator app"
      about={
        since === null ? (
          'A code from an app on your phone, requested after your password.'
        ) : (
          <>
            Requested after your password. Set up <Time at={since} />.
          </>
        )
      }
      action={
        since === null ? (
          begin.data === undefined && (
            <Button disabled={begin.isPending} onClick={() => begin.mutate()}>
              Set up
            </Button>
          )
        ) : (
          <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        )
      }
    >
      {since === null && begin.data !== undefined && (
        <Enrolment
          {...begin.data}
          onConfirmed={(codes) => {
            begin.reset()
            onChanged()
            if (codes !== null) onRecoveryCodes(codes)
          }}
          onCancel={begin.reset}
        />
      )}
      <CardProblem text={error && !isProofNeeded(error) ? errorText(error) : undefined} />
    </Card>
  )
}

interface EnrolmentProps {
  readonly secret: string
  readonly qrCode: string
  readonly onConfirmed: (codes: readonly string[] | null) => void
  readonly onCancel: () => void
}

function Enrolment({ secret, qrCode, onConfirmed, onCancel }: EnrolmentProps) {
  const confirm = useMutation({
    mutationFn: api.confirmTotp,
    onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate(String(new FormData(event.currentTarget).get('code')))
      }}
    >
      <div className="flex flex-wrap items-center gap-4">
        <img
          src={`data:image/svg+xml;utf8,${encodeURIComponent(qrCode)}`}
          alt="QR code for your authenticator app"
          className="size-40 rounded-control border border-line bg-white p-1"
        />
        <div className="grid min-w-0 flex-1 gap-1">
          <p>Scan the QR code with your app, or enter this key:</p>
          <p className="flex items-center gap-1">
            <code className="mono wrap-anywhere">{secret}</code>
            <CopyButton text={secret} label="Copy the secret" />
          </p>
        </div>
      </div>
      <Field
        label="Code from the app"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*[0-9]{3}\s?[0-9]{3}\s*"
        required
        autoFocus
        className="max-w-60"
        problem={confirm.error ? errorText(confirm.error) : undefined}
      />
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={confirm.isPending}>
          Confirm
        </Button>
        <Button look="bare" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
