import { useMutation } from '@tanstack/react-query'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardProblem } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { FactorEvents } from './app-card.tsx'

interface RecoveryCardProps extends FactorEvents {
  readonly left: number
}

/** How many recovery codes are left, and new ones. */
export function RecoveryCard({ left, onChanged, onProofNeeded, onRecoveryCodes }: RecoveryCardProps) {
  const renew = useMutation({
    mutationFn: api.renewRecoveryCodes,
    onSuccess({ recoveryCodes }) {
      onChanged()
      onRecoveryCodes(recoveryCodes)
    },
    onError: (error) => isProofNeeded(error) && onProofNeeded(() => renew.mutate()),
  })
  return (
    <Card
      title="Recovery codes"
      about={`${left} left. Each works once in place of your second factor.`}
      action={
        <Button disabled={renew.isPending} onClick={() => renew.mutate()}>
          Generate new codes
        </Button>
      }
    >
      <CardProblem text={renew.error && !isProofNeeded(renew.error) ? errorText(renew.error) : undefined} />
    </Card>
  )
}

interface RecoveryCodesProps {
  /** Undefined when there is nothing to show. */
  readonly codes: readonly string[] | undefined
  readonly onClose: () => void
}

/** New recovery codes; they cannot be shown again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog open={codes !== undefined} onClose={onClose} title="Your recovery codes">
      <div className="grid gap-4">
        <p>
          Save these codes in your password manager: they are shown only once. Each signs you in once when you do not
          have your second factor.
        </p>
        <Code text={codes?.join('\n') ?? ''} copyLabel="Copy the recovery codes" />
        <Button look="primary" className="justify-self-start" onClick={onClose}>
          I saved them
        </Button>
      </div>
    </Dialog>
  )
}
