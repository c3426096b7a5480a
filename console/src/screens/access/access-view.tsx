import { useState } from 'react'
import { ProofDialog } from '../../frame/proof-dialog.tsx'
import type { Access, Operator } from '../../lib/api/schemas.ts'
import type { PasskeySupport } from '../../lib/passkeys.ts'
import { AppCard } from './app-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { RecoveryCard, RecoveryCodes } from './recovery-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TokensCard } from './tokens-card.tsx'

interface AccessViewProps {
  readonly operator: Operator
  readonly access: Access
  readonly support: PasskeySupport
  /** The name of an access token that the command line asks for. */
  readonly proposedToken: string | undefined
  readonly onChanged: () => void
}

/** The signed-in operator's sessions, second factors, recovery codes and access tokens. */
export function AccessView({ operator, access, support, proposedToken, onChanged }: AccessViewProps) {
  const [again, setAgain] = useState<{ readonly run: () => void }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const { sessions, totpSince, passkeys, recoveryCodesLeft } = access
  const hasFactor = totpSince !== null || passkeys.length > 0
  const events = {
    onChanged,
    onProofNeeded: (run: () => void) => setAgain({ run }),
    onRecoveryCodes: setCodes,
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid max-w-[720px] gap-4 px-4 py-6">
        <p className="text-ink-2">
          {operator.name}, <span className="text-ink">{operator.email}</span>
          {!hasFactor && ': only your password protects this console.'}
        </p>
        <AppCard since={totpSince} {...events} />
        <PasskeysCard passkeys={passkeys} support={support} {...events} />
        {hasFactor && <RecoveryCard left={recoveryCodesLeft} {...events} />}
        <TokensCard proposed={proposedToken} onProofNeeded={events.onProofNeeded} />
        <SessionsCard sessions={sessions} onChanged={onChanged} />
      </div>
      <ProofDialog
        open={again !== undefined}
        hasApp={totpSince !== null}
        hasPasskey={passkeys.length > 0}
        canUsePasskey={support === 'yes'}
        onProven={() => {
          setAgain(undefined)
          again?.run()
        }}
        onClose={() => setAgain(undefined)}
      />
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </div>
  )
}
