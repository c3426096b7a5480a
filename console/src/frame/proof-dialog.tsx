import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api/api.ts'
import { errorText } from '../lib/api/api-error.ts'
import { passkeyProblem, signWithPasskey } from '../lib/passkeys.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FactorForm } from '../ui/factor-form.tsx'
import { Field } from '../ui/field.tsx'

interface ProofDialogProps {
  readonly open: boolean
  readonly hasApp: boolean
  readonly hasPasskey: boolean
  readonly canUsePasskey: boolean
  readonly onProven: () => void
  readonly onClose: () => void
}

/** Asks for the password or a second factor before a way to sign in is changed. */
export function ProofDialog({ open, hasApp, hasPasskey, canUsePasskey, onProven, onClose }: ProofDialogProps) {
  const prove = useMutation({ mutationFn: api.prove, onSuccess: onProven })
  const byPasskey = useMutation({
    async mutationFn() {
      const { ceremony } = await api.askForProof()
      if (ceremony === null) throw new Error('You no longer have a passkey.')
      return api.prove({ ticket: ceremony.ticket, credential: await signWithPasskey(ceremony.options) })
    },
    onSuccess: onProven,
  })
  const problem = prove.error ? errorText(prove.error) : byPasskey.error ? passkeyProblem(byPasskey.error) : undefined
  const isPending = prove.isPending || byPasskey.isPending
  return (
    <Dialog open={open} onClose={onClose} title="Confirm it’s you">
      {hasApp || hasPasskey ? (
        <FactorForm
          hasApp={hasApp}
          problem={problem}
          isPending={isPending}
          onCode={(code) => prove.mutate({ code })}
          onPasskey={hasPasskey && canUsePasskey ? () => byPasskey.mutate() : undefined}
          submit="Confirm"
        />
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            prove.mutate({ password: String(new FormData(event.currentTarget).get('password')) })
          }}
        >
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            problem={problem}
          />
          <Button type="submit" look="primary" size="large" className="justify-center" disabled={isPending}>
            Confirm
          </Button>
        </form>
      )}
    </Dialog>
  )
}
