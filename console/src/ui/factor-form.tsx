import { Button } from './button.tsx'
import { Field } from './field.tsx'

interface FactorFormProps {
  /** Whether there is an app that shows codes; a recovery code may be typed either way. */
  readonly hasApp: boolean
  readonly problem: string | undefined
  readonly isPending: boolean
  readonly onCode: (code: string) => void
  /** Absent where there is no passkey, or no way to use one here. */
  readonly onPasskey?: (() => void) | undefined
  readonly submit: string
}

/** Asks for a second factor. */
export function FactorForm({ hasApp, problem, isPending, onCode, onPasskey, submit }: FactorFormProps) {
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(String(new FormData(event.currentTarget).get('code')))
      }}
    >
      {onPasskey && (
        <Button look="primary" size="large" className="justify-center" disabled={isPending} onClick={onPasskey}>
          Use a passkey
        </Button>
      )}
      <Field
        label={hasApp ? 'Code' : 'Recovery code'}
        name="code"
        autoComplete="one-time-code"
        hint={hasApp ? 'From your authenticator app, or a recovery code.' : 'If you do not have your passkey.'}
        required
        autoFocus={onPasskey === undefined}
        problem={problem}
      />
      <Button
        type="submit"
        look={onPasskey ? 'plain' : 'primary'}
        size="large"
        className="justify-center"
        disabled={isPending}
      >
        {submit}
      </Button>
    </form>
  )
}
