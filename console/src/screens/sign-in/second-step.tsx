import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { ApiError, errorText } from '../../lib/api/api-error.ts'
import type { Operator, SecondStep } from '../../lib/api/schemas.ts'
import { passkeyProblem, passkeySupport, signWithPasskey } from '../../lib/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { FactorForm } from '../../ui/factor-form.tsx'

interface SecondStepProps {
  readonly step: SecondStep
  readonly onSignedIn: (operator: Operator) => void
  readonly onBack: () => void
}

/** The second step of the sign-in: a code, a recovery code or a passkey. */
export function SecondStepForm({ step, onSignedIn, onBack }: SecondStepProps) {
  const { ticket, hasTotp, passkeyOptions } = step
  const enter = useMutation({
    async mutationFn(entered: { readonly code: string } | 'passkey') {
      const proof =
        entered === 'passkey' ? { credential: await signWithPasskey(passkeyOptions ?? {}) } : { code: entered.code }
      return api.signInWithFactor({ ticket, ...proof })
    },
    onSuccess: onSignedIn,
  })
  const { error } = enter
  const canUsePasskey = passkeyOptions !== null && passkeySupport() === 'yes'
  return (
    <div className="grid gap-4">
      <FactorForm
        hasApp={hasTotp}
        problem={error ? problemText(error) : undefined}
        isPending={enter.isPending}
        onCode={(code) => enter.mutate({ code })}
        onPasskey={canUsePasskey ? () => enter.mutate('passkey') : undefined}
        submit={enter.isPending ? 'Signing in…' : 'Sign in'}
      />
      <Button look="bare" className="-ml-2.5 justify-self-start" onClick={onBack}>
        Start over
      </Button>
    </div>
  )
}

const problemText = (error: Error): string => (error instanceof ApiError ? errorText(error) : passkeyProblem(error))
